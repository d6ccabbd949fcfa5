package io.rdma4j.verbs;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Attributes of a queue pair, each present or absent ({@code ibv_qp_attr} with {@code ibv_qp_attr_mask}). Setting an
 * attribute in the builder puts it into the {@link #mask()}; an absent one reads as 0, empty or the first constant.
 *
 * <p>Values are checked by {@link QueuePair#modify}, not here. Immutable.
 */
public final class QueuePairAttributes {
    private final EnumSet<QueuePairAttribute> mask;
    private final EnumSet<AccessFlag> accessFlags;
    private final QueuePairState state;
    private final QueuePairState currentState;
    private final AddressVector addressVector;
    private final PathMtu pathMtu;
    private final int pkeyIndex;
    private final int port;
    private final int qkey;
    private final int destinationQueuePair;
    private final int receivePsn;
    private final int sendPsn;
    private final int maxReadAtomic;
    private final int maxDestinationReadAtomic;
    private final int minRnrTimer;
    private final int timeout;
    private final int retryCount;
    private final int rnrRetry;
    private final boolean sqdAsyncNotify;
    private final boolean sendQueueDraining;

    private QueuePairAttributes(Builder builder) {
        mask = EnumSet.copyOf(builder.mask);
        accessFlags = EnumSet.copyOf(builder.accessFlags);
        state = builder.state;
        currentState = builder.currentState;
        addressVector = builder.addressVector;
        pathMtu = builder.pathMtu;
        pkeyIndex = builder.pkeyIndex;
        port = builder.port;
        qkey = builder.qkey;
        destinationQueuePair = builder.destinationQueuePair;
        receivePsn = builder.receivePsn;
        sendPsn = builder.sendPsn;
        maxReadAtomic = builder.maxReadAtomic;
        maxDestinationReadAtomic = builder.maxDestinationReadAtomic;
        minRnrTimer = builder.minRnrTimer;
        timeout = builder.timeout;
        retryCount = builder.retryCount;
        rnrRetry = builder.rnrRetry;
        sqdAsyncNotify = builder.sqdAsyncNotify;
        sendQueueDraining = builder.sendQueueDraining;
    }

    /** {@return a builder without any attribute} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return which attributes are present; a copy} */
    public Set<QueuePairAttribute> mask() {
        return EnumSet.copyOf(mask);
    }

    /**
     * Whether an attribute is present.
     *
     * @param attribute the attribute
     * @return true if it is
     */
    public boolean has(QueuePairAttribute attribute) {
        return mask.contains(attribute);
    }

    /** {@return what the peer may do ({@code qp_access_flags}); a copy} */
    public Set<AccessFlag> accessFlags() {
        return EnumSet.copyOf(accessFlags);
    }

    /** {@return whether SQ_DRAINED is wanted when the send queue is drained ({@code en_sqd_async_notify})} */
    public boolean sqdAsyncNotify() {
        return sqdAsyncNotify;
    }

    /** {@return whether the send queue is still draining; only set by a query ({@code sq_draining})} */
    public boolean isSendQueueDraining() {
        return sendQueueDraining;
    }

    /** {@return the state to move to, or the present one ({@code qp_state})} */
    public QueuePairState state() {
        return state;
    }

    /** {@return the state the caller believes the queue pair to be in ({@code cur_qp_state})} */
    public QueuePairState currentState() {
        return currentState;
    }

    /** {@return the way to the peer ({@code ah_attr})} */
    public AddressVector addressVector() {
        return addressVector;
    }

    /** {@return the path MTU ({@code path_mtu})} */
    public PathMtu pathMtu() {
        return pathMtu;
    }

    /** {@return the place in the P_Key table, 0 on RoCE ({@code pkey_index})} */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /** {@return the port, 1 ({@code port_num})} */
    public int port() {
        return port;
    }

    /** {@return the Q_Key, 32 bits (UD) ({@code qkey})} */
    public int qkey() {
        return qkey;
    }

    /** {@return the peer's queue pair number, 24 bits ({@code dest_qp_num})} */
    public int destinationQueuePair() {
        return destinationQueuePair;
    }

    /** {@return the first PSN to receive, 24 bits ({@code rq_psn})} */
    public int receivePsn() {
        return receivePsn;
    }

    /** {@return the first PSN to send, 24 bits ({@code sq_psn})} */
    public int sendPsn() {
        return sendPsn;
    }

    /** {@return READs and atomics outstanding as requester ({@code max_rd_atomic})} */
    public int maxReadAtomic() {
        return maxReadAtomic;
    }

    /** {@return READs and atomics outstanding as responder ({@code max_dest_rd_atomic})} */
    public int maxDestinationReadAtomic() {
        return maxDestinationReadAtomic;
    }

    /** {@return the code of the wait that a peer is told when no receive is posted, 0 to 31 ({@code min_rnr_timer})} */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /** {@return the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever ({@code timeout})} */
    public int timeout() {
        return timeout;
    }

    /** {@return how often an unanswered request is sent again, 0 to 7 ({@code retry_cnt})} */
    public int retryCount() {
        return retryCount;
    }

    /** {@return how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end ({@code rnr_retry})} */
    public int rnrRetry() {
        return rnrRetry;
    }

    /** {@return the present attributes with their values} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        for (QueuePairAttribute attribute : mask) {
            text.add(attribute.name() + " " + value(attribute));
        }
        return text.toString();
    }

    private Object value(QueuePairAttribute attribute) {
        return switch (attribute) {
            case ACCESS_FLAGS -> accessFlags;
            case EN_SQD_ASYNC_NOTIFY -> sqdAsyncNotify;
            case STATE -> state;
            case CUR_STATE -> currentState;
            case AV -> addressVector;
            case PATH_MTU -> pathMtu;
            case PKEY_INDEX -> pkeyIndex;
            case PORT -> port;
            case QKEY -> qkey;
            case DEST_QPN -> destinationQueuePair;
            case RQ_PSN -> receivePsn;
            case SQ_PSN -> sendPsn;
            case MAX_QP_RD_ATOMIC -> maxReadAtomic;
            case MAX_DEST_RD_ATOMIC -> maxDestinationReadAtomic;
            case MIN_RNR_TIMER -> minRnrTimer;
            case TIMEOUT -> timeout;
            case RETRY_CNT -> retryCount;
            case RNR_RETRY -> rnrRetry;
            case ALT_PATH, PATH_MIG_STATE, CAP -> "not supported";
        };
    }

    /** Collects attributes. Not thread-safe. */
    public static final class Builder {
        private final EnumSet<QueuePairAttribute> mask = EnumSet.noneOf(QueuePairAttribute.class);
        private final EnumSet<AccessFlag> accessFlags = EnumSet.noneOf(AccessFlag.class);
        private QueuePairState state = QueuePairState.RESET;
        private QueuePairState currentState = QueuePairState.RESET;
        private AddressVector addressVector = AddressVector.of(Gid.ZERO);
        private PathMtu pathMtu = PathMtu.MTU_256;
        private int pkeyIndex;
        private int port;
        private int qkey;
        private int destinationQueuePair;
        private int receivePsn;
        private int sendPsn;
        private int maxReadAtomic;
        private int maxDestinationReadAtomic;
        private int minRnrTimer;
        private int timeout;
        private int retryCount;
        private int rnrRetry;
        private boolean sqdAsyncNotify;
        private boolean sendQueueDraining;

        private Builder() {}

        /**
         * Sets what the peer may do ({@code qp_access_flags}).
         *
         * @param value the rights; others are withdrawn
         * @return this
         */
        public Builder accessFlags(AccessFlag... value) {
            return accessFlags(List.of(value));
        }

        /**
         * Sets what the peer may do ({@code qp_access_flags}).
         *
         * @param value the rights; others are withdrawn
         * @return this
         */
        public Builder accessFlags(Collection<AccessFlag> value) {
            accessFlags.clear();
            accessFlags.addAll(value);
            return with(QueuePairAttribute.ACCESS_FLAGS);
        }

        /**
         * Sets whether SQ_DRAINED is wanted when the send queue is drained ({@code en_sqd_async_notify}).
         *
         * @param value whether it is
         * @return this
         */
        public Builder sqdAsyncNotify(boolean value) {
            sqdAsyncNotify = value;
            return with(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY);
        }

        /**
         * For providers: tells that the send queue is draining ({@code sq_draining}); has no bit in the mask.
         *
         * @param value whether it is
         * @return this
         */
        public Builder sendQueueDraining(boolean value) {
            sendQueueDraining = value;
            return this;
        }

        /**
         * Sets the state to move to, or the present one ({@code qp_state}).
         *
         * @param value the value
         * @return this
         */
        public Builder state(QueuePairState value) {
            state = value;
            return with(QueuePairAttribute.STATE);
        }

        /**
         * Sets the state the caller believes the queue pair to be in ({@code cur_qp_state}).
         *
         * @param value the value
         * @return this
         */
        public Builder currentState(QueuePairState value) {
            currentState = value;
            return with(QueuePairAttribute.CUR_STATE);
        }

        /**
         * Sets the way to the peer ({@code ah_attr}).
         *
         * @param value the value
         * @return this
         */
        public Builder addressVector(AddressVector value) {
            addressVector = value;
            return with(QueuePairAttribute.AV);
        }

        /**
         * Sets the path MTU ({@code path_mtu}).
         *
         * @param value the value
         * @return this
         */
        public Builder pathMtu(PathMtu value) {
            pathMtu = value;
            return with(QueuePairAttribute.PATH_MTU);
        }

        /**
         * Sets the place in the P_Key table, 0 on RoCE ({@code pkey_index}).
         *
         * @param value the value
         * @return this
         */
        public Builder pkeyIndex(int value) {
            pkeyIndex = value;
            return with(QueuePairAttribute.PKEY_INDEX);
        }

        /**
         * Sets the port, 1 ({@code port_num}).
         *
         * @param value the value
         * @return this
         */
        public Builder port(int value) {
            port = value;
            return with(QueuePairAttribute.PORT);
        }

        /**
         * Sets the Q_Key, 32 bits (UD) ({@code qkey}).
         *
         * @param value the value
         * @return this
         */
        public Builder qkey(int value) {
            qkey = value;
            return with(QueuePairAttribute.QKEY);
        }

        /**
         * Sets the peer's queue pair number, 24 bits ({@code dest_qp_num}).
         *
         * @param value the value
         * @return this
         */
        public Builder destinationQueuePair(int value) {
            destinationQueuePair = value;
            return with(QueuePairAttribute.DEST_QPN);
        }

        /**
         * Sets the first PSN to receive, 24 bits ({@code rq_psn}).
         *
         * @param value the value
         * @return this
         */
        public Builder receivePsn(int value) {
            receivePsn = value;
            return with(QueuePairAttribute.RQ_PSN);
        }

        /**
         * Sets the first PSN to send, 24 bits ({@code sq_psn}).
         *
         * @param value the value
         * @return this
         */
        public Builder sendPsn(int value) {
            sendPsn = value;
            return with(QueuePairAttribute.SQ_PSN);
        }

        /**
         * Sets READs and atomics outstanding as requester ({@code max_rd_atomic}).
         *
         * @param value the value
         * @return this
         */
        public Builder maxReadAtomic(int value) {
            maxReadAtomic = value;
            return with(QueuePairAttribute.MAX_QP_RD_ATOMIC);
        }

        /**
         * Sets READs and atomics outstanding as responder ({@code max_dest_rd_atomic}).
         *
         * @param value the value
         * @return this
         */
        public Builder maxDestinationReadAtomic(int value) {
            maxDestinationReadAtomic = value;
            return with(QueuePairAttribute.MAX_DEST_RD_ATOMIC);
        }

        /**
         * Sets the code of the wait that a peer is told when no receive is posted, 0 to 31 ({@code min_rnr_timer}).
         *
         * @param value the value
         * @return this
         */
        public Builder minRnrTimer(int value) {
            minRnrTimer = value;
            return with(QueuePairAttribute.MIN_RNR_TIMER);
        }

        /**
         * Sets the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever ({@code timeout}).
         *
         * @param value the value
         * @return this
         */
        public Builder timeout(int value) {
            timeout = value;
            return with(QueuePairAttribute.TIMEOUT);
        }

        /**
         * Sets how often an unanswered request is sent again, 0 to 7 ({@code retry_cnt}).
         *
         * @param value the value
         * @return this
         */
        public Builder retryCount(int value) {
            retryCount = value;
            return with(QueuePairAttribute.RETRY_CNT);
        }

        /**
         * Sets how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end ({@code rnr_retry}).
         *
         * @param value the value
         * @return this
         */
        public Builder rnrRetry(int value) {
            rnrRetry = value;
            return with(QueuePairAttribute.RNR_RETRY);
        }

        /** {@return the attributes set so far} */
        public QueuePairAttributes build() {
            return new QueuePairAttributes(this);
        }

        private Builder with(QueuePairAttribute attribute) {
            mask.add(attribute);
            return this;
        }
    }
}
