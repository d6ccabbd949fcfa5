package io.rdma4j.verbs;

/**
 * The end of one work request ({@code ibv_wc}). Mutable and reused: {@link CompletionQueue#poll} overwrites it, so copy
 * what must outlive the next poll.
 *
 * <pre>{@code
 * if (!wc.isSuccess()) {
 *     System.err.println(wc.workRequestId() + ": " + wc.status() + ", " + wc.cause());
 * }
 * }</pre>
 *
 * <p>When the status is not SUCCESS only the work request id, the status, the queue pair number, the vendor error and the
 * cause mean something.
 *
 * <p>Threading: not thread-safe; it belongs to the thread that polls with it.
 */
public final class WorkCompletion {
    /** Flag: a GRH is in front of the received data ({@code IBV_WC_GRH}). */
    public static final int FLAG_GRH = 1;

    /** Flag: there is immediate data ({@code IBV_WC_WITH_IMM}). */
    public static final int FLAG_WITH_IMMEDIATE = 2;

    /** Flag: a key was invalidated ({@code IBV_WC_WITH_INV}). */
    public static final int FLAG_WITH_INVALIDATE = 8;

    private long workRequestId;
    private WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    private WorkCompletionOpcode opcode = WorkCompletionOpcode.SEND;
    private long byteLength;
    private int immediateData;
    private int invalidatedKey;
    private int queuePairNumber;
    private int sourceQueuePair;
    private int sourcePort = Gid.ROCE_PORT;
    private int vendorError;
    private int flags;
    private String cause = "";

    /** An empty completion, to be filled by a poll. */
    public WorkCompletion() {}

    /**
     * Completions to poll with.
     *
     * @param count how many
     * @return an array without nulls
     * @throws RdmaException EINVAL if the count is negative
     */
    public static WorkCompletion[] array(int count) {
        if (count < 0) {
            throw new RdmaException(ErrorCode.EINVAL, count + " completions to poll with");
        }
        WorkCompletion[] completions = new WorkCompletion[count];
        for (int i = 0; i < count; i++) {
            completions[i] = new WorkCompletion();
        }
        return completions;
    }

    /** {@return the id given to the work request ({@code wr_id})} */
    public long workRequestId() {
        return workRequestId;
    }

    /** {@return how it ended ({@code status})} */
    public WorkCompletionStatus status() {
        return status;
    }

    /** {@return whether the status is SUCCESS} */
    public boolean isSuccess() {
        return status == WorkCompletionStatus.SUCCESS;
    }

    /** {@return what completed; undefined on error ({@code opcode})} */
    public WorkCompletionOpcode opcode() {
        return opcode;
    }

    /** {@return bytes received, or returned by a READ or atomic; else undefined ({@code byte_len})} */
    public long byteLength() {
        return byteLength;
    }

    /** {@return the immediate data in host order, 0 if there is none ({@code imm_data})} */
    public int immediateData() {
        return immediateData;
    }

    /** {@return whether there is immediate data ({@code IBV_WC_WITH_IMM})} */
    public boolean hasImmediate() {
        return (flags & FLAG_WITH_IMMEDIATE) != 0;
    }

    /** {@return the local key that the message invalidated, 0 if it did not ({@code invalidated_rkey})} */
    public int invalidatedKey() {
        return invalidatedKey;
    }

    /** {@return whether the message invalidated a local key ({@code IBV_WC_WITH_INV})} */
    public boolean hasInvalidated() {
        return (flags & FLAG_WITH_INVALIDATE) != 0;
    }

    /** {@return the number of the local queue pair; valid on errors too ({@code qp_num})} */
    public int queuePairNumber() {
        return queuePairNumber;
    }

    /** {@return the number of the sending queue pair (UD; {@code src_qp})} */
    public int sourceQueuePair() {
        return sourceQueuePair;
    }

    /** {@return the UDP port of the device that sent it, 4791 unless it is a device of our own kind elsewhere (UD)} */
    public int sourcePort() {
        return sourcePort;
    }

    /**
     * A number that tells the error more exactly ({@code vendor_err}). Of the software device: the syndrome byte of the NAK
     * that ended the request, 0x60 to 0x64, or 0x20 and the timer code for receiver not ready; of a receive, that of the NAK
     * its sender got. 0 where no NAK was involved, for flushed requests, and on success.
     *
     * @return the vendor error
     */
    public int vendorError() {
        return vendorError;
    }

    /** {@return bits of {@code ibv_wc_flags}: {@link #FLAG_GRH} and the others ({@code wc_flags})} */
    public int flags() {
        return flags;
    }

    /** {@return why it failed, in words; a flushed request names the first error of its queue pair; empty on success} */
    public String cause() {
        return cause;
    }

    /** {@return a copy that the next poll does not touch} */
    public WorkCompletion copy() {
        WorkCompletion copy = new WorkCompletion();
        copy.workRequestId = workRequestId;
        copy.status = status;
        copy.opcode = opcode;
        copy.byteLength = byteLength;
        copy.immediateData = immediateData;
        copy.invalidatedKey = invalidatedKey;
        copy.queuePairNumber = queuePairNumber;
        copy.sourceQueuePair = sourceQueuePair;
        copy.sourcePort = sourcePort;
        copy.vendorError = vendorError;
        copy.flags = flags;
        copy.cause = cause;
        return copy;
    }

    /**
     * For providers: begins a new completion; everything not given here is cleared.
     *
     * @param id the work request's id
     * @param newStatus how it ended
     * @param newOpcode what completed
     * @param number the local queue pair
     * @return this
     */
    public WorkCompletion reset(long id, WorkCompletionStatus newStatus, WorkCompletionOpcode newOpcode, int number) {
        workRequestId = id;
        status = newStatus;
        opcode = newOpcode;
        queuePairNumber = number;
        byteLength = 0;
        immediateData = 0;
        invalidatedKey = 0;
        sourceQueuePair = 0;
        sourcePort = Gid.ROCE_PORT;
        vendorError = 0;
        flags = 0;
        cause = "";
        return this;
    }

    /**
     * For providers: sets the length.
     *
     * @param bytes bytes received or returned
     * @return this
     */
    public WorkCompletion lengths(long bytes) {
        byteLength = bytes;
        return this;
    }

    /**
     * For providers: sets immediate data and its flag.
     *
     * @param data the immediate data in host order
     * @return this
     */
    public WorkCompletion immediate(int data) {
        immediateData = data;
        flags |= FLAG_WITH_IMMEDIATE;
        return this;
    }

    /**
     * For providers: sets the invalidated key and its flag.
     *
     * @param key the local key that is no longer valid
     * @return this
     */
    public WorkCompletion invalidated(int key) {
        invalidatedKey = key;
        flags |= FLAG_WITH_INVALIDATE;
        return this;
    }

    /**
     * For providers: sets the sender.
     *
     * @param number the sending queue pair
     * @return this
     */
    public WorkCompletion source(int number) {
        sourceQueuePair = number;
        return this;
    }

    /**
     * For providers: sets the device port of a datagram's sender.
     *
     * @param port the UDP port to which answers go
     * @return this
     */
    public WorkCompletion sourcePort(int port) {
        sourcePort = port;
        return this;
    }

    /**
     * For providers: adds flags.
     *
     * @param bits bits of {@code ibv_wc_flags}
     * @return this
     */
    public WorkCompletion addFlags(int bits) {
        flags |= bits;
        return this;
    }

    /**
     * For providers: tells why it failed.
     *
     * @param vendor the vendor error
     * @param why the cause in words
     * @return this
     */
    public WorkCompletion error(int vendor, String why) {
        vendorError = vendor;
        cause = why;
        return this;
    }

    /** {@return id, status and what is defined with it} */
    @Override
    public String toString() {
        String head = "wr_id " + workRequestId + " qp 0x" + Integer.toHexString(queuePairNumber) + " " + status;
        if (!isSuccess()) {
            return head + " (" + status.description() + ") vendor_err " + vendorError
                    + (cause.isEmpty() ? "" : ": " + cause);
        }
        return head + " " + opcode + " " + byteLength + " bytes"
                + (hasImmediate() ? " imm 0x" + Integer.toHexString(immediateData) : "")
                + (hasInvalidated() ? " invalidated 0x" + Integer.toHexString(invalidatedKey) : "");
    }
}
