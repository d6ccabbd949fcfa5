package io.rdma4j.verbs;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Send requests that are built one after the other, without an object for each, and posted together ({@code ibv_wr_start} to
 * {@code ibv_wr_complete}). Got from {@link QueuePair#startSends}.
 *
 * <pre>{@code
 * SendBatch batch = qp.startSends();
 * batch.workRequestId(1).rdmaWrite(peerAddress, peerKey).element(region, 0, 4096);
 * batch.workRequestId(2).signaled().send().inlineData(header);
 * batch.complete();
 * }</pre>
 *
 * <p>For each request: first its id and flags, which hold for that request alone; then the operation, which begins the
 * request; then its elements or inline data, and for a datagram {@link #to}. Whatever is wrong is kept for
 * {@link #complete}, which reports the first error and then posts nothing; what is built after an error is ignored.
 *
 * <p>Nothing of a batch is in the send queue before {@link #complete}. That posts all requests next to each other, in the
 * order of building, and tells the device once. What is posted otherwise in the meantime comes before them, from this
 * thread or another.
 *
 * <p>Threading: a batch belongs to the thread that started it, and every method refuses other threads with EINVAL. No lock
 * is held while a batch is open: threads that start batches of the same queue pair do not wait for each other, each has its
 * own, and so has a thread that starts a second before it completes the first. A batch that is never completed posts nothing
 * and holds up nobody. After {@link #complete} or {@link #abort} the object is used again for a later batch, so whoever
 * keeps it must start anew; until then every method but {@link #close} is refused with EINVAL.
 */
public interface SendBatch extends AutoCloseable {
    /**
     * The id of the next request; 0 if it is not set.
     *
     * @param id comes back in the completion ({@code wr_id})
     * @return this
     */
    SendBatch workRequestId(long id);

    /** {@return this; the next request will have a completion on success too ({@code IBV_SEND_SIGNALED})} */
    SendBatch signaled();

    /** {@return this; the next request will raise a solicited event at the peer ({@code IBV_SEND_SOLICITED})} */
    SendBatch solicited();

    /** {@return this; the next request will wait for all earlier READs and atomics ({@code IBV_SEND_FENCE})} */
    SendBatch fenced();

    /** {@return this, with a {@link Send} begun ({@code ibv_wr_send})} */
    SendBatch send();

    /**
     * Begins a {@link SendWithImmediate} ({@code ibv_wr_send_imm}).
     *
     * @param immediate what the peer's completion shows, in host order here and there
     * @return this
     */
    SendBatch sendWithImmediate(int immediate);

    /**
     * Begins a {@link SendWithInvalidate} ({@code ibv_wr_send_inv}).
     *
     * @param remoteKey the peer's key that ends
     * @return this
     */
    SendBatch sendWithInvalidate(int remoteKey);

    /**
     * Begins a {@link RdmaWrite} ({@code ibv_wr_rdma_write}).
     *
     * @param remoteAddress address of the first byte in the peer's memory
     * @param remoteKey key of that memory
     * @return this
     */
    SendBatch rdmaWrite(long remoteAddress, int remoteKey);

    /**
     * Begins a {@link RdmaWriteWithImmediate} ({@code ibv_wr_rdma_write_imm}).
     *
     * @param remoteAddress address of the first byte in the peer's memory
     * @param remoteKey key of that memory
     * @param immediate what the peer's completion shows, in host order here and there
     * @return this
     */
    SendBatch rdmaWriteWithImmediate(long remoteAddress, int remoteKey, int immediate);

    /**
     * Begins an {@link RdmaRead} ({@code ibv_wr_rdma_read}).
     *
     * @param remoteAddress address of the first byte in the peer's memory
     * @param remoteKey key of that memory
     * @return this
     */
    SendBatch rdmaRead(long remoteAddress, int remoteKey);

    /**
     * Begins a {@link CompareAndSwap} ({@code ibv_wr_atomic_cmp_swp}); its element is for the old value, 8 bytes.
     *
     * @param remoteAddress address of the word in the peer's memory, a multiple of 8
     * @param remoteKey key of that memory
     * @param compare what the word must be
     * @param swap what it is then
     * @return this
     */
    SendBatch compareAndSwap(long remoteAddress, int remoteKey, long compare, long swap);

    /**
     * Begins a {@link FetchAndAdd} ({@code ibv_wr_atomic_fetch_add}); its element is for the old value, 8 bytes.
     *
     * @param remoteAddress address of the word in the peer's memory, a multiple of 8
     * @param remoteKey key of that memory
     * @param add what is added to the word
     * @return this
     */
    SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long add);

    /**
     * Builds a {@link BindMemoryWindow} ({@code ibv_wr_bind_mw}). Allocates a little.
     *
     * @param window what to bind
     * @param binding what to bind it to
     * @param remoteKey the key it shall have
     * @return this
     */
    SendBatch bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, int remoteKey);

    /**
     * Builds a {@link LocalInvalidate} ({@code ibv_wr_local_inv}).
     *
     * @param key the key that is to end
     * @return this
     */
    SendBatch localInvalidate(int key);

    /**
     * Builds a copy of any request, with its own id and flags; what {@link #workRequestId} and the like have set stays for
     * the next that is built here.
     *
     * @param request what to do
     * @return this
     */
    SendBatch add(SendRequest request);

    /**
     * One more element for the request that was begun ({@code ibv_wr_set_sge}).
     *
     * @param address address of the first byte
     * @param length bytes, 0 to 2^32 - 1
     * @param localKey the region's local key
     * @return this
     */
    SendBatch element(long address, long length, int localKey);

    /**
     * One more element for the request that was begun.
     *
     * @param region a region; that it is open and of the right domain is checked when the request is executed
     * @param offset bytes from its start
     * @param length bytes; the part must lie within the region
     * @return this
     */
    SendBatch element(MemoryRegion region, long offset, long length);

    /**
     * More elements for the request that was begun, in order ({@code ibv_wr_set_sge_list}).
     *
     * @param elements the elements
     * @return this
     */
    SendBatch elements(List<ScatterGatherElement> elements);

    /**
     * More bytes that the request carries itself, copied now ({@code ibv_wr_set_inline_data}). A request has elements or
     * inline data, a READ or atomic has no inline data.
     *
     * @param data bytes from position to limit, which stay
     * @return this
     */
    SendBatch inlineData(ByteBuffer data);

    /**
     * More bytes that the request carries itself, copied now ({@code ibv_wr_set_inline_data}).
     *
     * @param data an array
     * @param offset where they begin in it
     * @param length how many
     * @return this
     */
    SendBatch inlineData(byte[] data, int offset, int length);

    /**
     * More bytes that the request carries itself, from several places, copied now ({@code ibv_wr_set_inline_data_list}).
     *
     * @param pieces bytes from position to limit of each, in order
     * @return this
     */
    SendBatch inlineDataList(List<ByteBuffer> pieces);

    /**
     * Where the request that was begun goes, on a queue pair for datagrams ({@code ibv_wr_set_ud_addr}).
     *
     * @param handle the way to the peer
     * @param queuePair number of the peer's queue pair; {@link DatagramDestination#MULTICAST_QUEUE_PAIR} for a group
     * @param qkey Q_Key of the peer's queue pair; with the top bit set that of the sending queue pair is used
     * @return this
     */
    SendBatch to(AddressHandle handle, int queuePair, int qkey);

    /** {@return how many requests are begun} */
    int size();

    /**
     * Posts everything that was built, and ends the batch ({@code ibv_wr_complete}).
     *
     * @throws RdmaException the first error of the building, which names the request by its place; or as
     *     {@link QueuePair#postSend(SendRequest)}, ENOMEM if the send queue has not room for all. Then nothing is posted. The
     *     batch has ended in any case
     */
    void complete();

    /** Forgets everything that was built, and ends the batch ({@code ibv_wr_abort}). */
    void abort();

    /** Aborts a batch of this thread that is neither completed nor aborted; does nothing else. */
    @Override
    void close();
}
