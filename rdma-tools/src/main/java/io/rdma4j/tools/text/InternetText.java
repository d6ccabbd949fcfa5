package io.rdma4j.tools.text;

import io.rdma4j.core.wire.IpText;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;

/** GIDs as {@code inet_ntop} prints them, which is how the C tools show them: {@code ::ffff:192.0.2.1}. */
public final class InternetText {
    private InternetText() {}

    /** The text of a GID. */
    public static String of(Gid gid) {
        String address = IpText.of(gid.high(), gid.low());
        return PacketAddresses.isIpv4(gid.high(), gid.low()) ? "::ffff:" + address : address;
    }
}
