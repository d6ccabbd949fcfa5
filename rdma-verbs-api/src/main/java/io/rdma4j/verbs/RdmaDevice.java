package io.rdma4j.verbs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open device ({@code ibv_context}). Everything else is made from it.
 *
 * <p>Threading: all methods are thread-safe. Methods that wait are refused with EDEADLK on a device's loop thread.
 */
public interface RdmaDevice extends AutoCloseable {
    /** {@return the device's name, as tools print it ({@code ibv_get_device_name})} */
    String name();

    /** {@return limits and identity of the device ({@code ibv_query_device})} */
    DeviceAttributes attributes();

    /** {@return state and attributes of port 1 ({@code ibv_query_port})} */
    PortAttributes port();

    /**
     * State and attributes of a port ({@code ibv_query_port}).
     *
     * @param number the port, 1 to {@link DeviceAttributes#physicalPortCount()}
     * @return what {@link #port()} tells, for port 1
     * @throws RdmaException EINVAL if there is no such port
     */
    default PortAttributes port(int number) {
        int ports = attributes().physicalPortCount();
        if (number < 1 || number > ports) {
            throw new RdmaException(ErrorCode.EINVAL, "ibv_query_port: port " + number + " is not in 1.." + ports);
        }
        return port();
    }

    /**
     * An entry of the P_Key table of port 1 ({@code ibv_query_pkey}).
     *
     * @param index its place, 0 to {@link PortAttributes#pkeyTableLength()} - 1
     * @return the key, 16 bits; on RoCE the default one, 0xFFFF
     * @throws RdmaException EINVAL if there is no such entry
     */
    default int partitionKey(int index) {
        int entries = port().pkeyTableLength();
        if (index < 0 || index >= entries) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "ibv_query_pkey: index " + index + " is not in 0.." + (entries - 1));
        }
        return 0xFFFF;
    }

    /**
     * Where a P_Key is in the table of port 1 ({@code ibv_get_pkey_index}).
     *
     * @param key a key, 16 bits
     * @return its place
     * @throws RdmaException EINVAL if it is not in the table
     */
    default int partitionKeyIndex(int key) {
        for (int index = 0; index < port().pkeyTableLength(); index++) {
            if (partitionKey(index) == key) {
                return index;
            }
        }
        throw new RdmaException(
                ErrorCode.EINVAL, "ibv_get_pkey_index: P_Key 0x" + Integer.toHexString(key) + " is not in the table");
    }

    /** {@return the device's GID, to be told to peers ({@code ibv_query_gid} of index 0)} */
    Gid gid();

    /**
     * The GID of an index ({@code ibv_query_gid}).
     *
     * @param index 0 to {@link PortAttributes#gidTableLength()} - 1
     * @return the GID
     * @throws RdmaException EINVAL if the table has no such entry
     */
    default Gid gid(int index) {
        List<GidEntry> table = gidTable();
        if (index < 0 || index >= table.size()) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "GID index " + index + " of " + name() + " is not in 0.." + (table.size() - 1));
        }
        return table.get(index).gid();
    }

    /**
     * The GIDs under which peers reach the device ({@code ibv_query_gid_table}). A host with several addresses has a device
     * for each, see {@link RdmaDevices#list()}, so the table of a software device has one entry.
     *
     * @return all entries in the order of their index; unmodifiable
     */
    default List<GidEntry> gidTable() {
        return List.of(new GidEntry(0, 1, gid(), GidType.ROCE_V2));
    }

    /** {@return counters by name since the device was opened ({@code rdma statistic}); a copy} */
    Map<String, Long> counters();

    /**
     * Makes a protection domain ({@code ibv_alloc_pd}).
     *
     * @return the domain; close it when done
     * @throws RdmaException ENOMEM at the device's limit, ENODEV if the device is closed
     */
    ProtectionDomain allocateProtectionDomain();

    /**
     * Makes a channel for completion events ({@code ibv_create_comp_channel}).
     *
     * @return the channel; close it when done
     * @throws RdmaException ENODEV if the device is closed
     */
    CompletionChannel createCompletionChannel();

    /**
     * Makes a completion queue that is polled only ({@code ibv_create_cq}).
     *
     * @param capacity completions it must hold, 1 to {@link DeviceAttributes#maxCompletionQueueEntries()}
     * @return the queue, of at least that capacity; close it when done
     * @throws RdmaException EINVAL if the capacity is out of range, ENOMEM at the device's limit, ENODEV if the device is
     *     closed
     */
    CompletionQueue createCompletionQueue(int capacity);

    /**
     * Makes a completion queue whose events go to a channel ({@code ibv_create_cq}).
     *
     * @param capacity completions it must hold, 1 to {@link DeviceAttributes#maxCompletionQueueEntries()}
     * @param channel a channel of this device
     * @return the queue, of at least that capacity; close it when done
     * @throws RdmaException EINVAL if the capacity is out of range or the channel is of another device, ENOMEM at the
     *     device's limit, ENODEV if the device is closed
     */
    CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel);

    /**
     * Takes the next asynchronous event ({@code ibv_get_async_event} and {@code ibv_ack_async_event}), in the order in which
     * they happened. Events of an object come where the object was made, and go with it when it is closed; those of the
     * port and the device come to every context on it. The device keeps 1,024 and counts what more it had to drop.
     *
     * @param timeout how long to wait; {@link Duration#ZERO} looks and returns
     * @return the event, or null if none came in time
     * @throws RdmaException EBADF if the device is or gets closed, EINTR if the thread is interrupted, EDEADLK on a loop
     *     thread
     */
    @Nullable
    AsyncEvent awaitAsyncEvent(Duration timeout);

    /**
     * Closes the device and everything made from it ({@code ibv_close_device}). Always succeeds; every waiter is woken;
     * closing again does nothing.
     */
    @Override
    void close();
}
