package io.rdma4j.testkit.contract;

/** What a software RDMA device can be asked for, connection management apart; each case names the rows it is a proof of. */
public enum Feature {
    // device, port, addressing
    DEVICE_LIST(1, "device list, open, name, GUID, index"),
    QUERY_DEVICE(1, "query of the device, with limits that hold"),
    QUERY_PORT(1, "query of the port: state, MTUs, table lengths, link layer"),
    BAD_PORT(1, "a bad port number is an error"),
    GID_TABLE(1, "GID table, an entry for each address"),
    ACTIVE_MTU(1, "active MTU from the MTU of the interface"),
    PORT_EVENTS(2, "events of the port: PORT_ACTIVE, PORT_ERR"),
    SEVERAL_CONTEXTS(1, "several contexts on one device, whose handles are kept apart"),
    COUNTERS(2, "statistics counters"),
    // domains, memory, address handles
    PD(1, "protection domains; EBUSY with children"),
    PD_ISOLATION(1, "isolation of domains on every data path"),
    REGISTER(1, "registration with all access rights; combinations that are refused"),
    IOVA(2, "chosen and zero-based addresses of regions"),
    RANGE_CHECK(1, "range checks of regions, overflow included"),
    REREGISTER(2, "change of translation, domain and access of a region"),
    DEREGISTER(1, "deregistration while busy and while requests are in flight"),
    KEYS(1, "variant byte of keys; stale keys are refused"),
    ODD_REGIONS(2, "overlapping, many, empty and very large regions"),
    WINDOW_1(2, "memory windows of type 1"),
    WINDOW_2(2, "memory windows of type 2B"),
    WINDOW_ZERO_BASED(3, "zero-based windows"),
    WINDOW_END(2, "effects of freeing windows and destroying queue pairs"),
    FAST_REGISTER(2, "fast registration"),
    LOCAL_INVALIDATE(2, "local invalidation"),
    SEND_INVALIDATE(2, "SEND with invalidate"),
    NULL_REGION(3, "null region"),
    ADDRESS_HANDLE(1, "address handles; bad ones are refused"),
    ADDRESS_HANDLE_FROM_COMPLETION(2, "address handle from a completion"),
    ADDRESS_HANDLE_PD(2, "address handle of another domain"),
    // queue pairs and states
    QP_CREATE(1, "creating queue pairs of each type, sizes rounded up, bad sizes refused"),
    QP_STATES(1, "state table with exact masks"),
    MODIFY_ATOMIC(1, "a failed modify changes nothing"),
    VALUE_CHECKS(1, "value checks of attributes"),
    QUERY_QP(1, "query returns what was set, and the state"),
    POST_STATES(1, "posting in each state"),
    QP_REUSE(1, "reuse by RESET after ERR"),
    SQD(3, "draining the send queue, SQ_DRAINED"),
    SQE(3, "send queue error of UC and UD"),
    COMM_EST(2, "COMM_EST"),
    FLUSH(1, "flushing: order, unsignaled requests"),
    QP_DESTROY(1, "destroying while active, with unpolled completions"),
    QP_NUMBERS(2, "numbers of queue pairs wrap and are not reused at once"),
    // requests, reliable data path
    SEND_RECEIVE(1, "SEND and receive, scatter and gather"),
    SEND_IMMEDIATE(1, "SEND with immediate data"),
    WRITE(1, "RDMA WRITE, with and without immediate data"),
    READ(1, "RDMA READ"),
    ZERO_LENGTH(1, "messages without data, bad keys included"),
    ATOMICS(1, "compare and swap, fetch and add, alignment"),
    INLINE(1, "inline data"),
    LONG_MESSAGES(1, "messages of many packets, up to 2^31 bytes"),
    LISTS(1, "lists of requests; the first bad one is named"),
    SQ_OVERFLOW(1, "a full send queue; slots are freed by polling"),
    SIGNALING(1, "signaled, unsignaled, all signaled"),
    FENCE(2, "fences wait for READs and atomics only"),
    SOLICITED(1, "solicited events"),
    GO_BACK_N(1, "go-back-N with wrap of PSNs"),
    DUPLICATES(1, "duplicates: acknowledged again, READ replayed, atomics remembered"),
    ONE_NAK(1, "one NAK for a gap"),
    GHOSTS(2, "implied NAKs and ghosts"),
    RNR(1, "receiver not ready"),
    RETRY(1, "retries and transport timer"),
    READ_ATOMIC_LIMITS(1, "limits of outstanding READs and atomics"),
    MIGREQ(1, "either MigReq bit is accepted"),
    MTUS(1, "all path MTUs"),
    ICRC(1, "ICRC made and checked"),
    LOOPBACK(1, "queue pairs of one device, a queue pair with itself"),
    ERROR_TABLE(1, "completions of all errors"),
    // unreliable transports, multicast
    UD_SEND(1, "datagrams, with the GRH area"),
    UD_ERRORS(1, "datagrams that are dropped: Q_Key, number, no receive"),
    UD_TOO_LONG(1, "a datagram longer than the MTU"),
    TRAFFIC_CLASS(2, "traffic class, hop limit and flow label arrive"),
    UC(2, "SEND and WRITE of unreliable connections"),
    MULTICAST(2, "groups"),
    TYPES_APART(2, "RC and UD do not meet"),
    // completions, events
    CQ(1, "creating, destroying and polling completion queues"),
    SHARED_CQ(1, "completion queues shared by many queue pairs"),
    RESIZE_CQ(2, "resizing completion queues"),
    CQ_OVERRUN(1, "overrun: CQ_ERR, and nobody else is harmed"),
    CHANNEL(1, "completion channels"),
    ASYNC_EVENTS(1, "asynchronous events"),
    EVENT_ACK(2, "unacknowledged events hold back a destroy"),
    LAST_WQE(2, "LAST_WQE_REACHED"),
    // shared receive queues
    SRQ(1, "shared receive queues: post, limit, modify, resize, query"),
    SRQ_PD(2, "shared receive queue and queue pair in different domains"),
    SRQ_BUSY(1, "a shared receive queue in use is not destroyed"),
    SRQ_SURVIVES(1, "receives in a shared queue survive errors of a queue pair"),
    // network
    ROCE(1, "RoCEv2 over IPv4 and IPv6"),
    FAULTS(1, "loss, duplication, reordering and corruption are survived"),
    // robustness
    THREADS(1, "thread safety of all verbs"),
    BAD_ARGUMENTS(1, "invalid handles and null arguments are clean errors"),
    NO_LEAKS(1, "no leaks in many rounds of create and destroy");

    private final int tier;
    private final String words;

    Feature(int tier, String words) {
        this.tier = tier;
        this.words = words;
    }

    /** 1: without it a device is a toy; 2: a serious one has it; 3: an excellent one. */
    public int tier() {
        return tier;
    }

    /** The feature in words. */
    public String words() {
        return words;
    }
}
