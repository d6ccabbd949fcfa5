# shellcheck shell=bash disable=SC2034
# Settings that the lab's scripts share; sourced, not run. Each may be set in the environment.
LAB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB_CACHE=${RDMA4J_LAB_CACHE:-/var/cache/rdma4j-lab}       # packages, kernel, initramfs: about 200 MB
LAB_RUN=${RDMA4J_LAB_RUN:-/run/rdma4j-lab}                 # pid and console of the running guest
LAB_NS=${RDMA4J_LAB_NS:-rdma4j-lab}                        # the lab's own network namespace
LAB_KERNEL=${RDMA4J_LAB_KERNEL:-linux-image-amd64}         # a Debian package that depends on or is a kernel image
LAB_MTU=${RDMA4J_LAB_MTU:-9000}                            # of the lab's network; 9000 lets the path MTU be 4096
LAB_MEMORY=${RDMA4J_LAB_MEMORY:-384}                       # MiB for the guest
LAB_BOOT_SECONDS=${RDMA4J_LAB_BOOT_SECONDS:-120}

HOST4=192.0.2.1 HOST6=fd00:4791::1
GUEST4=192.0.2.2 GUEST6=fd00:4791::2
AGENT_PORT=2222                                            # the guest's command agent

VMLINUZ=$LAB_CACHE/vmlinuz-$LAB_KERNEL
INITRAMFS=$LAB_CACHE/initramfs-$LAB_KERNEL.cpio
PIDFILE=$LAB_RUN/guest.pid
CONSOLE=$LAB_RUN/guest.console

die() { echo "lab: $*" >&2; exit 1; }
