package io.rdma4j.testkit.contract;

/** What a case needs of a provider besides the verbs API. A bed that lacks it says why, and the case is excluded there. */
public enum Need {
    /** Time that passes only when told to: a case measures to the microsecond. */
    VIRTUAL_TIME,
    /** A network that does to chosen frames what the case says, and shows what was sent: {@link ContractBed#fabric}. */
    FRAME_RULES,
    /** The traffic class of a received packet is known to the device. */
    TRAFFIC_CLASS_ON_ARRIVAL,
    /** Datagrams to a group reach its members. */
    MULTICAST,
    /** Calls really run at the same time on several threads. */
    THREADS,
    /** A READ can be posted with inline data. */
    INLINE_READ(
            "requests are typed, and the type for a READ has no inline data: what the case posts cannot be written down"),
    /** A completion queue can be given a completion vector. */
    COMPLETION_VECTORS("the device has one completion vector, and creating a completion queue has no parameter for it"),
    /** Completion queues of the extended kind, with time stamps. */
    EXTENDED_QUEUES("completions have one form, which carries every field that a device of ours fills; no time stamps");

    private final String reason;

    Need() {
        this("");
    }

    Need(String reason) {
        this.reason = reason;
    }

    /** Why no provider of the verbs API can have it; empty when one can. */
    String impossible() {
        return reason;
    }
}
