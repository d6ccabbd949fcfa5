package io.rdma4j.core.qp;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttributes;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of a queue pair as last modified (§9). */
public final class QpAttributes {
    public int pkeyIndex;
    public int port;
    public int accessFlags;
    public PathMtu pathMtu = PathMtu.MTU_256;
    public int destinationQp;
    public int receivePsn;
    public int sendPsn;
    public int maxReadAtomic;
    public int maxDestinationReadAtomic;
    public int minRnrTimer;
    public int timeout;
    public int retryCount;
    public int rnrRetry;
    public boolean sqdAsyncNotify;

    /** Of a UD queue pair: all 32 bits are legal. */
    public int qkey;

    public @Nullable AddressVector addressVector;

    public int mtuBytes() {
        return pathMtu.bytes();
    }

    /** PSNs that a message of so many bytes uses: a packet for each MTU, and one for nothing at all (§5). */
    public int packetsOf(long bytes) {
        int mtu = mtuBytes();
        return (int) Math.max(1, (bytes + mtu - 1) / mtu);
    }

    public boolean allows(AccessFlag flag) {
        return (accessFlags & flag.code()) != 0;
    }

    /** Takes over what {@code given} carries; the mask was checked before. */
    public void apply(QueuePairAttributes given) {
        given.mask().forEach(attribute -> {
            switch (attribute) {
                case PKEY_INDEX -> pkeyIndex = given.pkeyIndex();
                case PORT -> port = given.port();
                case ACCESS_FLAGS -> accessFlags = bits(given.accessFlags());
                case AV -> addressVector = given.addressVector();
                case PATH_MTU -> pathMtu = given.pathMtu();
                case DEST_QPN -> destinationQp = given.destinationQueuePair();
                case RQ_PSN -> receivePsn = given.receivePsn();
                case SQ_PSN -> sendPsn = given.sendPsn();
                case MAX_QP_RD_ATOMIC -> maxReadAtomic = given.maxReadAtomic();
                case MAX_DEST_RD_ATOMIC -> maxDestinationReadAtomic = given.maxDestinationReadAtomic();
                case MIN_RNR_TIMER -> minRnrTimer = given.minRnrTimer();
                case TIMEOUT -> timeout = given.timeout();
                case RETRY_CNT -> retryCount = given.retryCount();
                case RNR_RETRY -> rnrRetry = given.rnrRetry();
                case QKEY -> qkey = given.qkey();
                case EN_SQD_ASYNC_NOTIFY -> sqdAsyncNotify = given.sqdAsyncNotify();
                default -> {
                    // STATE and CUR_STATE are not kept here; the rest no row of the table allows.
                }
            }
        });
    }

    public void reset() {
        pkeyIndex = 0;
        port = 0;
        accessFlags = 0;
        pathMtu = PathMtu.MTU_256;
        destinationQp = 0;
        receivePsn = 0;
        sendPsn = 0;
        maxReadAtomic = 0;
        maxDestinationReadAtomic = 0;
        minRnrTimer = 0;
        timeout = 0;
        retryCount = 0;
        rnrRetry = 0;
        sqdAsyncNotify = false;
        qkey = 0;
        addressVector = null;
    }

    public Set<AccessFlag> accessFlags() {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : AccessFlag.values()) {
            if (allows(flag)) {
                flags.add(flag);
            }
        }
        return flags;
    }

    /** The flags as the bits of ibv_access_flags. */
    public static int bits(Set<AccessFlag> flags) {
        int bits = 0;
        for (AccessFlag flag : flags) {
            bits |= flag.code();
        }
        return bits;
    }
}
