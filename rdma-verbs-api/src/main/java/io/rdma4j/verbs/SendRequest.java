package io.rdma4j.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a send queue is asked to do ({@code ibv_send_wr}): one type per operation, so that what an operation needs cannot
 * be forgotten. Immutable; the same instance can be posted for ever, since it is copied when posted. One that is inline
 * carries bytes of any memory, which are copied too: what they are at that moment is sent.
 *
 * <pre>{@code
 * SendRequest write = RdmaWrite.of(1L, region.slice(0, 4096)).to(peerAddress, peerKey).signaled();
 * SendRequest read = RdmaRead.of(2L, region.slice(4096, 4096)).from(peerAddress, peerKey).signaled();
 * SendRequest lock = CompareAndSwap.of(3L, region.slice(0, 8), 0L, 1L).at(peerAddress, peerKey).signaled();
 * SendRequest ticket = FetchAndAdd.of(4L, region.slice(8, 8), 1L).at(peerAddress, peerKey).signaled();
 * SendRequest notice = Send.of(5L, region.slice(16, 64)).fenced().solicited();
 * SendRequest written = RdmaWriteWithImmediate.of(6L, 42, region.slice(0, 4096)).to(peerAddress, peerKey);
 * SendRequest hello = Send.inline(7L, "hello".getBytes(StandardCharsets.UTF_8));
 * qp.postSend(List.of(write, read, lock, ticket, notice, written, hello));
 * }</pre>
 *
 * <p>The methods here are all that a provider needs; none allocates. What an operation does not have reads as 0.
 */
public sealed interface SendRequest
        permits Send,
                SendWithImmediate,
                SendWithInvalidate,
                RdmaWrite,
                RdmaWriteWithImmediate,
                RdmaRead,
                CompareAndSwap,
                FetchAndAdd,
                BindMemoryWindow,
                LocalInvalidate,
                FastRegister {
    /** {@return comes back in the completion ({@code wr_id})} */
    long workRequestId();

    /** {@return the operation ({@code opcode})} */
    WorkRequestOpcode opcode();

    /** {@return local memory, in order; unmodifiable; none if the request is inline ({@code sg_list})} */
    List<ScatterGatherElement> elements();

    /** {@return how many elements it has ({@code num_sge})} */
    int elementCount();

    /**
     * One element, without an iterator.
     *
     * @param index its place, from 0
     * @return the element
     */
    ScatterGatherElement element(int index);

    /**
     * {@return whether it carries its bytes instead of elements; a READ or atomic never does ({@code IBV_SEND_INLINE})}
     */
    boolean isInline();

    /** {@return how many bytes it carries itself, 0 if it does not} */
    long inlineLength();

    /**
     * Copies the bytes it carries, as they are now.
     *
     * @param target where to put them; its position and limit do not matter and stay
     * @param index where they begin there
     */
    void copyInline(ByteBuffer target, int index);

    /** {@return whether success is told by a completion too, not only failure ({@code IBV_SEND_SIGNALED})} */
    boolean isSignaled();

    /** {@return whether the peer's completion raises a solicited event ({@code IBV_SEND_SOLICITED})} */
    boolean isSolicited();

    /** {@return whether it waits for all earlier READs and atomics ({@code IBV_SEND_FENCE})} */
    boolean isFenced();

    /** {@return address in the peer's memory, 0 for a SEND ({@code remote_addr})} */
    default long remoteAddress() {
        return 0;
    }

    /** {@return key of the peer's memory, 0 for a SEND ({@code rkey})} */
    default int remoteKey() {
        return 0;
    }

    /** {@return immediate data in host order, 0 for an operation without ({@code imm_data})} */
    default int immediateData() {
        return 0;
    }

    /** {@return the key that a send (the peer's) or a local invalidate (our own) ends, else 0 ({@code invalidate_rkey})} */
    default int invalidateKey() {
        return 0;
    }

    /** {@return where a datagram goes, null for an operation of a connection ({@code wr.ud})} */
    default @Nullable DatagramDestination destination() {
        return null;
    }

    /** {@return what a compare and swap compares with, else 0 ({@code compare_add})} */
    default long compare() {
        return 0;
    }

    /** {@return what a compare and swap stores or a fetch and add adds, else 0: the first data field on the wire} */
    default long swapOrAdd() {
        return 0;
    }
}
