package io.rdma4j.testkit.model;

import io.rdma4j.testkit.fabric.FabricDevice;
import io.rdma4j.testkit.model.Request.Operands;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** One node of a program: a device with everything registered and made on it, and its twin of plain arrays. */
final class ModelNode implements AutoCloseable {
    /** More than a lane has, and than stay behind from lanes before. */
    private static final int DEPTH = 32;

    private static final int MAX_SGES = 3;
    private static final int MAX_REGIONS = 12;

    /** Regions 0 and 1 cover everything and stay: there is always one that may be used. */
    private static final int LASTING_REGIONS = 2;

    /** Beyond what a signed comparison gets right. */
    private static final long HIGH_IOVA = 0xFFFF_FF12_3456_7000L;

    private final ByteBuffer memory;
    private final ReferenceMemory reference;
    private final ProtectionDomain domain;
    private final ProtectionDomain foreignDomain;
    private final List<CompletionQueue> completionQueues = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final Map<QueueKey, List<WorkCompletion>> completions = new LinkedHashMap<>();

    ModelNode(FabricDevice device, int queuePairCount, boolean shareCompletionQueue, SplittableRandom random) {
        byte[] initial = new byte[queuePairCount * Layout.STRIPE];
        random.nextBytes(initial);
        memory = HostMemory.allocate(initial.length);
        memory.put(0, initial);
        reference = new ReferenceMemory(initial);
        domain = device.rdma().allocateProtectionDomain();
        foreignDomain = device.rdma().allocateProtectionDomain();
        register(MemoryRegionConfig.of(memory), 0, Set.of(AccessFlag.LOCAL_WRITE), false);
        register(MemoryRegionConfig.of(memory), 0, Rights.ALL, false);
        for (int i = 0; i < queuePairCount; i++) {
            if (i == 0 || !shareCompletionQueue) {
                completionQueues.add(device.rdma().createCompletionQueue(2 * DEPTH * queuePairCount));
            }
            queuePairs.add(
                    domain.createQueuePair(QueuePairConfig.reliable(completionQueues.get(completionQueues.size() - 1))
                            .maxSendWorkRequests(DEPTH)
                            .maxReceiveWorkRequests(DEPTH)
                            .maxSendScatterGather(MAX_SGES)
                            .maxReceiveScatterGather(MAX_SGES)));
        }
    }

    ReferenceMemory reference() {
        return reference;
    }

    QueuePair queuePair(int index) {
        return queuePairs.get(index);
    }

    /** Registers a random part of the memory, or deregisters a region. */
    String changeRegions(SplittableRandom random) {
        if (regions.size() >= MAX_REGIONS || (regions.size() > LASTING_REGIONS && random.nextInt(3) == 0)) {
            int index = random.nextInt(LASTING_REGIONS, regions.size());
            regions.remove(index).close();
            return "deregister " + reference.regions().remove(index);
        }
        int offset = random.nextInt(memory.capacity() / 8) * 8;
        int length = random.nextInt(1, memory.capacity() - offset + 1);
        MemoryRegionConfig config = MemoryRegionConfig.of(memory.slice(offset, length));
        MemoryRegionConfig placed = switch (random.nextInt(3)) {
            case 0 -> config.zeroBased();
            case 1 -> config.iova(HIGH_IOVA + offset);
            default -> config;
        };
        register(placed, offset, Rights.ofRegion(random), random.nextInt(6) == 0);
        return "register " + reference.regions().get(regions.size() - 1);
    }

    private void register(MemoryRegionConfig config, int offset, Set<AccessFlag> rights, boolean foreign) {
        MemoryRegion region =
                (foreign ? foreignDomain : domain).registerMemory(config.access(rights.toArray(AccessFlag[]::new)));
        regions.add(region);
        reference
                .regions()
                .add(new ReferenceRegion(
                        region.address(),
                        offset,
                        (int) region.length(),
                        rights,
                        foreign,
                        region.localKey(),
                        region.remoteKey()));
    }

    void post(int queuePair, Request request) {
        queuePairs.get(queuePair).postSend(posted(request));
    }

    void postReceive(int queuePair, PostedReceive receive) {
        queuePairs.get(queuePair).postReceive(ReceiveRequest.of(receive.id(), elements(receive.pieces())));
    }

    private static SendRequest posted(Request request) {
        ScatterGatherElement[] pieces = elements(request.pieces());
        long address = request.remote().address();
        int key = request.remote().key();
        boolean signaled = request.flags().signaled();
        boolean fenced = request.flags().fenced();
        Operands operands = request.operands();
        switch (request.kind()) {
            case SEND -> {
                Send send = Send.of(request.id(), pieces);
                send = signaled ? send.signaled() : send;
                return fenced ? send.fenced() : send;
            }
            case WRITE -> {
                RdmaWrite write = RdmaWrite.of(request.id(), pieces).to(address, key);
                write = signaled ? write.signaled() : write;
                return fenced ? write.fenced() : write;
            }
            case READ -> {
                RdmaRead read = RdmaRead.of(request.id(), pieces).from(address, key);
                read = signaled ? read.signaled() : read;
                return fenced ? read.fenced() : read;
            }
            case FETCH_ADD -> {
                FetchAndAdd add = FetchAndAdd.of(request.id(), pieces[0], operands.swapOrAdd())
                        .at(address, key);
                add = signaled ? add.signaled() : add;
                return fenced ? add.fenced() : add;
            }
            default -> {
                CompareAndSwap swap = CompareAndSwap.of(
                                request.id(), pieces[0], operands.compare(), operands.swapOrAdd())
                        .at(address, key);
                swap = signaled ? swap.signaled() : swap;
                return fenced ? swap.fenced() : swap;
            }
        }
    }

    private static ScatterGatherElement[] elements(List<Piece> pieces) {
        return pieces.stream()
                .map(piece -> new ScatterGatherElement(piece.address(), piece.length(), piece.key()))
                .toArray(ScatterGatherElement[]::new);
    }

    /** What has completed since the last call, by queue. */
    Map<QueueKey, List<WorkCompletion>> takeCompletions() {
        completions.clear();
        WorkCompletion[] polled = WorkCompletion.array(DEPTH);
        for (CompletionQueue queue : completionQueues) {
            int count;
            do {
                count = queue.poll(polled);
                for (int i = 0; i < count; i++) {
                    completions
                            .computeIfAbsent(QueueKey.of(polled[i].workRequestId()), key -> new ArrayList<>())
                            .add(polled[i].copy());
                }
            } while (count > 0);
        }
        return completions;
    }

    byte[] bytes() {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        return bytes;
    }

    @Override
    public void close() {
        queuePairs.forEach(QueuePair::close);
        completionQueues.forEach(CompletionQueue::close);
        regions.forEach(MemoryRegion::close);
        domain.close();
        foreignDomain.close();
    }
}
