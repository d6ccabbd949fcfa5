package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Completion channels: arming, events, acknowledging. */
final class ChannelCases {
    private static final Duration WHILE = Duration.ofSeconds(1);
    private static final Duration SHORT_WHILE = Duration.ofMillis(50);

    private ChannelCases() {}

    static List<ContractCase> cases() {
        List<ContractCase> cases = new ArrayList<>(List.of(
                ContractCase.of("channel/CreateDestroy", "made and destroyed; a wait on a destroyed one is EBADF")
                        .covers(Feature.CHANNEL)
                        .run(ChannelCases::createDestroy),
                ContractCase.of("channel/CreateDestroyWithCqRef", "EBUSY until the completion queue is destroyed")
                        .covers(Feature.CHANNEL)
                        .run(ChannelCases::busyWithQueue),
                ContractCase.of("channel/RequestNotificationOnCqWithoutCompChannel", "refused")
                        .covers(Feature.CHANNEL, Feature.BAD_ARGUMENTS)
                        .run(bed -> {
                            CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(16));
                            expectRefused(ErrorCode.EINVAL, () -> queue.arm(false));
                            expectRefused(ErrorCode.EINVAL, () -> queue.arm(true));
                        }),
                ContractCase.of("channel/RequestNotificationInvalidCq", "ENOENT, EFAULT, EINVAL or EBADF")
                        .covers(Feature.CHANNEL, Feature.BAD_ARGUMENTS)
                        .run(ChannelCases::armClosed),
                operation("channel/Atomic", Operation.FETCH_ADD),
                operation("channel/Write", Operation.WRITE),
                operation("channel/Read", Operation.READ),
                ContractCase.of(
                                "channel/DeleteWithUnacked",
                                "EBUSY for the queue while a taken event is not acknowledged")
                        .covers(Feature.CHANNEL, Feature.EVENT_ACK)
                        .run(ChannelCases::unacknowledged),
                ContractCase.of(
                                "channel/SameQueueMultipleOutstanding",
                                "one event for each arming; all can wait for acknowledgement")
                        .covers(Feature.CHANNEL, Feature.EVENT_ACK)
                        .run(ChannelCases::manyOutstanding),
                ContractCase.of(
                                "channel/MuxOntoSingleChannel",
                                "events of several queues on one channel name their queue")
                        .covers(Feature.CHANNEL)
                        .run(ChannelCases::severalQueues),
                ContractCase.of("channel/NoSpuriousEvents", "without arming again, more completions raise no event")
                        .covers(Feature.CHANNEL)
                        .run(ChannelCases::noSpurious),
                ContractCase.of("channel/ArmWithWaiting", "arming says that completions wait, which raise no event")
                        .covers(Feature.CHANNEL)
                        .run(ChannelCases::armWithWaiting),
                ContractCase.of(
                                "channel/ArmLevels",
                                "arming for solicited ones does not weaken arming for any; the other way strengthens")
                        .covers(Feature.CHANNEL, Feature.SOLICITED)
                        .each(List.of(true, false), ChannelCases::levels),
                ContractCase.of(
                                "channel/ErrorIsSolicited",
                                "a completion with error raises an event though only solicited ones are asked for")
                        .covers(Feature.CHANNEL, Feature.SOLICITED)
                        .run(ChannelCases::errorIsSolicited)));
        for (boolean isSolicited : new boolean[] {true, false}) {
            for (boolean onlySolicited : new boolean[] {true, false}) {
                cases.add(receive(isSolicited, onlySolicited));
            }
        }
        return cases;
    }

    /** A queue pair whose sends and receives complete in one queue with a channel, and its peer. */
    private static final class Listener {
        final CompletionChannel channel;
        final CompletionQueue queue;
        final QueuePair queuePair;
        final End peer;
        final WorkCompletion[] done = WorkCompletion.array(1);

        Listener(ContractBed bed) {
            this(bed, bed.closing(bed.device(1).createCompletionChannel()));
        }

        Listener(ContractBed bed, CompletionChannel channel) {
            this.channel = channel;
            queue = bed.closing(bed.device(1).createCompletionQueue(256, channel));
            queuePair = bed.closing(bed.domain(1).createQueuePair(QueuePairConfig.reliable(queue)));
            peer = bed.pair(PairPlan.RELIABLE.unconnected()).a();
            queuePair.connect(peer.queuePair().localAddress(), ConnectOptions.DEFAULT);
            peer.queuePair().connect(queuePair.localAddress(), ConnectOptions.DEFAULT);
        }

        void expectEvent(ContractBed bed) {
            CompletionQueue[] ready = new CompletionQueue[1];
            bed.expect("an event", () -> (ready[0] = channel.await(Duration.ZERO)) != null);
            assertSame(queue, ready[0]);
        }

        void expectNoEvent(ContractBed bed) {
            bed.advance(WHILE, SHORT_WHILE);
            assertNull(channel.await(Duration.ZERO));
        }

        void expectCompletion(ContractBed bed, long id) {
            bed.expect("completion " + id, () -> queue.poll(done) == 1);
            assertEquals(id, done[0].workRequestId(), done[0]::toString);
        }

        void receive(long id) {
            queuePair.postReceive(ReceiveRequest.of(id));
            peer.post(Send.of(id).signaled());
            peer.expectSent(id);
        }
    }

    private static void createDestroy(ContractBed bed) {
        CompletionChannel channel = bed.device(0).createCompletionChannel();
        assertNull(channel.await(Duration.ZERO));
        channel.close();
        channel.close();
        expectRefused(ErrorCode.EBADF, () -> channel.await(Duration.ZERO));
    }

    private static void busyWithQueue(ContractBed bed) {
        CompletionChannel channel = bed.device(0).createCompletionChannel();
        CompletionQueue queue = bed.device(0).createCompletionQueue(16, channel);
        expectRefused(ErrorCode.EBUSY, channel::close);
        queue.close();
        channel.close();
    }

    private static void armClosed(ContractBed bed) {
        CompletionChannel channel = bed.closing(bed.device(0).createCompletionChannel());
        CompletionQueue queue = bed.device(0).createCompletionQueue(16, channel);
        queue.close();
        expectRefused(
                EnumSet.of(ErrorCode.ENOENT, ErrorCode.EFAULT, ErrorCode.EINVAL, ErrorCode.EBADF),
                () -> queue.arm(false));
    }

    private static ContractCase operation(String id, Operation operation) {
        return ContractCase.of(id, "no event before, exactly one after, for that queue")
                .covers(Feature.CHANNEL)
                .run(bed -> {
                    Listener listener = new Listener(bed);
                    assertFalse(listener.queue.arm(false));
                    listener.expectNoEvent(bed);
                    End peer = listener.peer;
                    MemoryRegion region =
                            bed.closing(bed.domain(1).registerMemory(HostMemory.allocate(64), AccessFlag.LOCAL_WRITE));
                    listener.queuePair.postSend(operation.request(1, region.slice(0, 8), peer.address(0), peer.key()));
                    listener.expectEvent(bed);
                    listener.expectCompletion(bed, 1);
                    listener.expectNoEvent(bed);
                    listener.queue.acknowledgeEvents(1);
                });
    }

    private static ContractCase receive(boolean isSolicited, boolean onlySolicited) {
        String id = "channel/Recv" + (isSolicited ? "Solicited" : "Unsolicited") + "Notify"
                + (onlySolicited ? "Solicited" : "Any");
        boolean isEvent = isSolicited || !onlySolicited;
        return ContractCase.of(id, isEvent ? "one event" : "no event")
                .covers(Feature.CHANNEL, Feature.SOLICITED)
                .each(List.of(false, true), (bed, isImmediate) -> {
                    Listener listener = new Listener(bed);
                    listener.queuePair.postReceive(ReceiveRequest.of(100));
                    assertFalse(listener.queue.arm(onlySolicited));
                    listener.expectNoEvent(bed);
                    Send send = isSolicited ? Send.of(1).solicited() : Send.of(1);
                    SendWithImmediate immediate = SendWithImmediate.of(1, 7);
                    listener.peer.post(
                            isImmediate
                                    ? (isSolicited ? immediate.solicited() : immediate).signaled()
                                    : send.signaled());
                    listener.peer.expectSent(1);
                    if (isEvent) {
                        listener.expectEvent(bed);
                        listener.queue.acknowledgeEvents(1);
                    } else {
                        listener.expectNoEvent(bed);
                    }
                    listener.expectCompletion(bed, 100);
                    listener.expectNoEvent(bed);
                });
    }

    private static void unacknowledged(ContractBed bed) {
        CompletionChannel channel = bed.device(1).createCompletionChannel();
        Listener listener = new Listener(bed, channel);
        listener.queue.arm(false);
        listener.receive(1);
        listener.expectEvent(bed);
        listener.expectCompletion(bed, 1);
        listener.queuePair.close();
        expectRefused(ErrorCode.EBUSY, listener.queue::close);
        expectRefused(ErrorCode.EBUSY, channel::close);
        listener.queue.acknowledgeEvents(1);
        listener.queue.close();
        channel.close();
    }

    private static void manyOutstanding(ContractBed bed) {
        int events = 200;
        Listener listener = new Listener(bed);
        for (int i = 0; i < events; i++) {
            assertFalse(listener.queue.arm(false));
            listener.receive(i);
            listener.expectEvent(bed);
            listener.expectCompletion(bed, i);
        }
        assertNull(listener.channel.await(Duration.ZERO));
        expectRefused(ErrorCode.EINVAL, () -> listener.queue.acknowledgeEvents(events + 1));
        listener.queue.acknowledgeEvents(events);
    }

    private static void severalQueues(ContractBed bed) {
        CompletionChannel channel = bed.closing(bed.device(1).createCompletionChannel());
        List<Listener> listeners = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            listeners.add(new Listener(bed, channel));
        }
        listeners.forEach(listener -> listener.queue.arm(false));
        for (int i = 4; i >= 0; i--) {
            listeners.get(i).receive(i);
        }
        for (int i = 4; i >= 0; i--) {
            listeners.get(i).expectEvent(bed);
            listeners.get(i).expectCompletion(bed, i);
            listeners.get(i).queue.acknowledgeEvents(1);
        }
        assertNull(channel.await(Duration.ZERO));
    }

    private static void noSpurious(ContractBed bed) {
        Listener listener = new Listener(bed);
        listener.queue.arm(false);
        listener.receive(1);
        listener.expectEvent(bed);
        listener.queue.acknowledgeEvents(1);
        for (int i = 2; i < 10; i++) {
            listener.receive(i);
        }
        listener.expectNoEvent(bed);
        for (int i = 1; i < 10; i++) {
            listener.expectCompletion(bed, i);
        }
    }

    private static void armWithWaiting(ContractBed bed) {
        Listener listener = new Listener(bed);
        listener.receive(1);
        bed.expect("a completion that waits", () -> listener.queue.arm(false));
        listener.expectNoEvent(bed);
        listener.receive(2);
        listener.expectEvent(bed);
        listener.queue.acknowledgeEvents(1);
        listener.expectCompletion(bed, 1);
        listener.expectCompletion(bed, 2);
    }

    private static void levels(ContractBed bed, boolean anyFirst) {
        Listener listener = new Listener(bed);
        listener.queue.arm(!anyFirst);
        listener.queue.arm(anyFirst);
        listener.receive(1);
        listener.expectEvent(bed);
        listener.queue.acknowledgeEvents(1);
        listener.expectCompletion(bed, 1);
    }

    private static void errorIsSolicited(ContractBed bed) {
        Listener listener = new Listener(bed);
        listener.queue.arm(true);
        End peer = listener.peer;
        listener.queuePair.postSend(
                RdmaWrite.of(1).to(peer.address(0), peer.key()).signaled());
        listener.expectCompletion(bed, 1);
        listener.expectNoEvent(bed);
        listener.queuePair.postSend(Send.of(2, peer.badSlice(0, 8)).signaled());
        listener.expectEvent(bed);
        listener.queue.acknowledgeEvents(1);
        bed.expect("the failed one", () -> listener.queue.poll(listener.done) == 1);
        assertTrue(!listener.done[0].isSuccess());
    }
}
