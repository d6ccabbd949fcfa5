package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair, each present or absent ({@code ibv_qp_attr} with {@code ibv_qp_attr_mask}). Setting an
 * attribute in the builder puts it into the {@link #mask()}. An absent attribute reads as 0, false or empty, an absent
 * state as UNKNOWN, an absent path MTU as the smallest.
 *
 * <pre>{@code
 * qp.modify(QueuePairAttributes.builder()
 *         .state(QueuePairState.INIT)
 *         .pkeyIndex(0)
 *         .port(1)
 *         .accessFlags(AccessFlag.REMOTE_WRITE)
 *         .build());
 * }</pre>
 *
 * <p>Values are checked by {@link QueuePair#modify}, not here. Immutable.
 */
public final class QueuePairAttributes {
    /** The present attributes; the type of a value is the type of its setter in the builder. */
    private final Map<QueuePairAttribute, Object> values;

    private final boolean isSendQueueDraining;

    private QueuePairAttributes(Builder builder) {
        values = new EnumMap<>(builder.values);
        isSendQueueDraining = builder.isSendQueueDraining;
    }

    /** {@return a builder without any attribute} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that starts with these attributes} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.values.putAll(values);
        builder.isSendQueueDraining = isSendQueueDraining;
        return builder;
    }

    /** {@return which attributes are present; unmodifiable} */
    public Set<QueuePairAttribute> mask() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /**
     * Whether an attribute is present.
     *
     * @param attribute the attribute
     * @return true if it is
     */
    public boolean has(QueuePairAttribute attribute) {
        return values.containsKey(Arguments.required(attribute, "attribute"));
    }

    /** {@return what the peer may do ({@code qp_access_flags}); unmodifiable} */
    public Set<AccessFlag> accessFlags() {
        return value(QueuePairAttribute.ACCESS_FLAGS, AccessRights.class, AccessRights.NONE)
                .flags();
    }

    /** {@return whether the send queue is still draining; only a query tells it ({@code sq_draining})} */
    public boolean isSendQueueDraining() {
        return isSendQueueDraining;
    }

    /** {@return the state to move to, or the present one ({@code qp_state})} */
    public QueuePairState state() {
        return value(QueuePairAttribute.STATE, QueuePairState.class, QueuePairState.UNKNOWN);
    }

    /** {@return the state the caller believes the queue pair to be in ({@code cur_qp_state})} */
    public QueuePairState currentState() {
        return value(QueuePairAttribute.CUR_STATE, QueuePairState.class, QueuePairState.UNKNOWN);
    }

    /** {@return whether SQ_DRAINED is wanted when the send queue is drained ({@code en_sqd_async_notify})} */
    public boolean sqdAsyncNotify() {
        return value(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, Boolean.class, false);
    }

    /** {@return the place in the P_Key table, 0 on RoCE ({@code pkey_index})} */
    public int pkeyIndex() {
        return number(QueuePairAttribute.PKEY_INDEX);
    }

    /** {@return the port, 1 ({@code port_num})} */
    public int port() {
        return number(QueuePairAttribute.PORT);
    }

    /** {@return the Q_Key, 32 bits (UD) ({@code qkey})} */
    public int qkey() {
        return number(QueuePairAttribute.QKEY);
    }

    /** {@return the way to the peer ({@code ah_attr})} */
    public AddressVector addressVector() {
        return value(QueuePairAttribute.AV, AddressVector.class, AddressVector.of(Gid.ZERO));
    }

    /** {@return the path MTU ({@code path_mtu})} */
    public PathMtu pathMtu() {
        return value(QueuePairAttribute.PATH_MTU, PathMtu.class, PathMtu.MTU_256);
    }

    /** {@return the peer's queue pair number, 24 bits ({@code dest_qp_num})} */
    public int destinationQueuePair() {
        return number(QueuePairAttribute.DEST_QPN);
    }

    /** {@return the first PSN to receive, 24 bits ({@code rq_psn})} */
    public int receivePsn() {
        return number(QueuePairAttribute.RQ_PSN);
    }

    /** {@return the first PSN to send, 24 bits ({@code sq_psn})} */
    public int sendPsn() {
        return number(QueuePairAttribute.SQ_PSN);
    }

    /** {@return how many READs and atomics may be outstanding as requester ({@code max_rd_atomic})} */
    public int maxReadAtomic() {
        return number(QueuePairAttribute.MAX_QP_RD_ATOMIC);
    }

    /** {@return how many READs and atomics may be outstanding as responder ({@code max_dest_rd_atomic})} */
    public int maxDestinationReadAtomic() {
        return number(QueuePairAttribute.MAX_DEST_RD_ATOMIC);
    }

    /** {@return the code of the wait that a peer is told when no receive is posted, 0 to 31 ({@code min_rnr_timer})} */
    public int minRnrTimer() {
        return number(QueuePairAttribute.MIN_RNR_TIMER);
    }

    /** {@return the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever ({@code timeout})} */
    public int timeout() {
        return number(QueuePairAttribute.TIMEOUT);
    }

    /** {@return how often an unanswered request is sent again, 0 to 7 ({@code retry_cnt})} */
    public int retryCount() {
        return number(QueuePairAttribute.RETRY_CNT);
    }

    /** {@return how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end ({@code rnr_retry})} */
    public int rnrRetry() {
        return number(QueuePairAttribute.RNR_RETRY);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueuePairAttributes that
                && values.equals(that.values)
                && isSendQueueDraining == that.isSendQueueDraining;
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** {@return the present attributes with their values} */
    @Override
    public String toString() {
        return values + (isSendQueueDraining ? " draining" : "");
    }

    private int number(QueuePairAttribute attribute) {
        return value(attribute, Integer.class, 0);
    }

    private <T> T value(QueuePairAttribute attribute, Class<T> type, T absent) {
        Object value = values.get(attribute);
        return value == null ? absent : type.cast(value);
    }

    /** Collects attributes; each setter puts its attribute into the mask. Not thread-safe. */
    public static final class Builder {
        private final EnumMap<QueuePairAttribute, Object> values = new EnumMap<>(QueuePairAttribute.class);
        private boolean isSendQueueDraining;

        private Builder() {}

        /**
         * {@return this, with what the peer may do ({@code qp_access_flags})}
         *
         * @param value the rights; others are withdrawn
         */
        public Builder accessFlags(AccessFlag... value) {
            return accessFlags(List.of(Arguments.all(value, "value")));
        }

        /**
         * {@return this, with what the peer may do ({@code qp_access_flags})}
         *
         * @param value the rights; others are withdrawn
         */
        public Builder accessFlags(Collection<AccessFlag> value) {
            EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
            flags.addAll(Arguments.all(value, "value"));
            return put(QueuePairAttribute.ACCESS_FLAGS, new AccessRights(Collections.unmodifiableSet(flags)));
        }

        /**
         * For providers: tells that the send queue is draining ({@code sq_draining}); has no bit in the mask.
         *
         * @param value whether it is
         * @return this
         */
        public Builder sendQueueDraining(boolean value) {
            isSendQueueDraining = value;
            return this;
        }

        /**
         * {@return this, with the state to move to, or the present one ({@code qp_state})}
         *
         * @param value the value
         */
        public Builder state(QueuePairState value) {
            return put(QueuePairAttribute.STATE, Arguments.required(value, "value"));
        }

        /**
         * {@return this, with the state the caller believes the queue pair to be in ({@code cur_qp_state})}
         *
         * @param value the value
         */
        public Builder currentState(QueuePairState value) {
            return put(QueuePairAttribute.CUR_STATE, Arguments.required(value, "value"));
        }

        /**
         * {@return this, with whether SQ_DRAINED is wanted when the send queue is drained ({@code en_sqd_async_notify})}
         *
         * @param value the value
         */
        public Builder sqdAsyncNotify(boolean value) {
            return put(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, value);
        }

        /**
         * {@return this, with the place in the P_Key table, 0 on RoCE ({@code pkey_index})}
         *
         * @param value the value
         */
        public Builder pkeyIndex(int value) {
            return put(QueuePairAttribute.PKEY_INDEX, value);
        }

        /**
         * {@return this, with the port, 1 ({@code port_num})}
         *
         * @param value the value
         */
        public Builder port(int value) {
            return put(QueuePairAttribute.PORT, value);
        }

        /**
         * {@return this, with the Q_Key, 32 bits (UD) ({@code qkey})}
         *
         * @param value the value
         */
        public Builder qkey(int value) {
            return put(QueuePairAttribute.QKEY, value);
        }

        /**
         * {@return this, with the way to the peer ({@code ah_attr})}
         *
         * @param value the value
         */
        public Builder addressVector(AddressVector value) {
            return put(QueuePairAttribute.AV, Arguments.required(value, "value"));
        }

        /**
         * {@return this, with the path MTU ({@code path_mtu})}
         *
         * @param value the value
         */
        public Builder pathMtu(PathMtu value) {
            return put(QueuePairAttribute.PATH_MTU, Arguments.required(value, "value"));
        }

        /**
         * {@return this, with the peer's queue pair number, 24 bits ({@code dest_qp_num})}
         *
         * @param value the value
         */
        public Builder destinationQueuePair(int value) {
            return put(QueuePairAttribute.DEST_QPN, value);
        }

        /**
         * {@return this, with the first PSN to receive, 24 bits ({@code rq_psn})}
         *
         * @param value the value
         */
        public Builder receivePsn(int value) {
            return put(QueuePairAttribute.RQ_PSN, value);
        }

        /**
         * {@return this, with the first PSN to send, 24 bits ({@code sq_psn})}
         *
         * @param value the value
         */
        public Builder sendPsn(int value) {
            return put(QueuePairAttribute.SQ_PSN, value);
        }

        /**
         * {@return this, with how many READs and atomics may be outstanding as requester ({@code max_rd_atomic})}
         *
         * @param value the value
         */
        public Builder maxReadAtomic(int value) {
            return put(QueuePairAttribute.MAX_QP_RD_ATOMIC, value);
        }

        /**
         * {@return this, with how many READs and atomics may be outstanding as responder ({@code max_dest_rd_atomic})}
         *
         * @param value the value
         */
        public Builder maxDestinationReadAtomic(int value) {
            return put(QueuePairAttribute.MAX_DEST_RD_ATOMIC, value);
        }

        /**
         * {@return this, with the code of the wait that a peer is told when no receive is posted, 0 to 31 ({@code min_rnr_timer})}
         *
         * @param value the value
         */
        public Builder minRnrTimer(int value) {
            return put(QueuePairAttribute.MIN_RNR_TIMER, value);
        }

        /**
         * {@return this, with the code t of the ACK timeout, 4.096 µs × 2^t, 0 to 31; 0 waits for ever ({@code timeout})}
         *
         * @param value the value
         */
        public Builder timeout(int value) {
            return put(QueuePairAttribute.TIMEOUT, value);
        }

        /**
         * {@return this, with how often an unanswered request is sent again, 0 to 7 ({@code retry_cnt})}
         *
         * @param value the value
         */
        public Builder retryCount(int value) {
            return put(QueuePairAttribute.RETRY_CNT, value);
        }

        /**
         * {@return this, with how often a request is sent again when the peer has no receive posted, 0 to 7; 7 has no end ({@code rnr_retry})}
         *
         * @param value the value
         */
        public Builder rnrRetry(int value) {
            return put(QueuePairAttribute.RNR_RETRY, value);
        }

        /** {@return the attributes set so far} */
        public QueuePairAttributes build() {
            return new QueuePairAttributes(this);
        }

        private Builder put(QueuePairAttribute attribute, Object value) {
            values.put(attribute, value);
            return this;
        }
    }
}
