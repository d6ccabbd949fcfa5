package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static io.rdma4j.verbs.WorkCompletionStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Objects made, used and destroyed by several activities at once. */
final class ThreadedCases {
    private static final int WORKERS = 4;
    private static final int EACH = 50;

    private ThreadedCases() {}

    static List<ContractCase> cases() {
        return List.of(
                creation("threaded/AllocPd", bed -> bed.device(0).allocateProtectionDomain(), pd -> 0),
                creation("threaded/RegMr", ThreadedCases::register, mr -> mr.remoteKey()),
                creation("threaded/CreateCq", bed -> bed.device(0).createCompletionQueue(16), CompletionQueue::number),
                creation("threaded/CreateChannel", bed -> bed.device(0).createCompletionChannel(), channel -> 0),
                ContractCase.of(
                                "threaded/CreateQp",
                                "several make and destroy at once: all succeed, no two have the same handle")
                        .covers(Feature.THREADS, Feature.NO_LEAKS, Feature.QP_NUMBERS)
                        .run(ThreadedCases::createQueuePairs),
                creation("threaded/CreateMixed", ThreadedCases::createChain, chain -> 0),
                ContractCase.of("threaded/QpLifecycle", "each connects, READs and destroys over and over; all S")
                        .covers(Feature.THREADS, Feature.NO_LEAKS, Feature.QP_DESTROY)
                        .run(ThreadedCases::lifecycle),
                ContractCase.of(
                                "threaded/QpDestroyTargetWhileActive",
                                "the target is destroyed under traffic: errors, never a hang; connecting anew works")
                        .covers(Feature.THREADS, Feature.QP_DESTROY, Feature.RETRY)
                        .run(ThreadedCases::destroyTarget),
                ContractCase.of(
                                "threaded/SharedQp",
                                "several post to one queue pair: each request completes once, in the order of each")
                        .covers(Feature.THREADS)
                        .run(ThreadedCases::sharedQueuePair),
                ContractCase.of("threaded/SharedCq", "several poll one queue: each completion is taken once")
                        .covers(Feature.THREADS, Feature.SHARED_CQ)
                        .run(ThreadedCases::sharedQueue),
                ContractCase.of("threaded/QueryAndCounters", "queries while objects come and go and traffic runs")
                        .covers(Feature.THREADS, Feature.QUERY_DEVICE, Feature.COUNTERS)
                        .run(ThreadedCases::queries));
    }

    /** So many of a kind by each of several activities; all are there at once, and their numbers differ. */
    private static <T extends AutoCloseable> ContractCase creation(
            String id, Function<ContractBed, T> create, ToLongFunction<T> number) {
        return ContractCase.of(id, "several make and destroy at once: all succeed, no two have the same handle")
                .covers(Feature.THREADS, Feature.NO_LEAKS)
                .run(bed -> create(bed, create, number));
    }

    private static void createQueuePairs(ContractBed bed) {
        CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(64));
        create(bed, b -> b.domain(0).createQueuePair(QueuePairConfig.reliable(queue)), QueuePair::number);
    }

    private static <T extends AutoCloseable> void create(
            ContractBed bed, Function<ContractBed, T> create, ToLongFunction<T> number) {
        bed.domain(0);
        List<T> made = Collections.synchronizedList(new ArrayList<>());
        bed.run(workers(i -> {
            made.add(create.apply(bed));
            return true;
        }));
        assertEquals(WORKERS * EACH, made.size());
        Set<Long> numbers = new HashSet<>();
        made.forEach(one -> numbers.add(number.applyAsLong(one)));
        assertTrue(numbers.size() == 1 || numbers.size() == made.size(), "numbers differ");
        List<Worker> closers = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            closers.add(closer(made, w));
        }
        bed.run(closers);
    }

    private interface Step {
        boolean at(int index);
    }

    /** Workers that each do a step so many times, unless it says that it must be repeated. */
    private static List<Worker> workers(Step step) {
        List<Worker> workers = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            int[] count = new int[1];
            workers.add(() -> {
                if (step.at(count[0])) {
                    count[0]++;
                }
                return count[0] < EACH;
            });
        }
        return workers;
    }

    private static <T extends AutoCloseable> Worker closer(List<T> made, int from) {
        int[] next = {from};
        return () -> {
            try {
                made.get(next[0]).close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            next[0] += WORKERS;
            return next[0] < made.size();
        };
    }

    private static MemoryRegion register(ContractBed bed) {
        return bed.domain(0).registerMemory(HostMemory.allocate(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
    }

    private static AutoCloseable createChain(ContractBed bed) {
        RdmaDevice device = bed.device(0);
        ProtectionDomain domain = device.allocateProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(16);
        MemoryRegion region = domain.registerMemory(HostMemory.allocate(64), AccessFlag.LOCAL_WRITE);
        QueuePair qp = domain.createQueuePair(QueuePairConfig.reliable(queue));
        return () -> {
            qp.close();
            region.close();
            queue.close();
            domain.close();
        };
    }

    /** Something of its own for each of several activities, on the two devices of the bed. */
    private static final class Own {
        final CompletionQueue queue;
        final CompletionQueue other;
        final MemoryRegion region;
        final WorkCompletion[] done = WorkCompletion.array(4);
        int rounds;
        QueuePair local;
        QueuePair remote;
        boolean posted;

        Own(ContractBed bed) {
            queue = bed.closing(bed.device(0).createCompletionQueue(64));
            other = bed.closing(bed.device(1).createCompletionQueue(64));
            region = bed.closing(bed.domain(0).registerMemory(HostMemory.allocate(64), AccessFlag.LOCAL_WRITE));
            make(bed);
        }

        void make(ContractBed bed) {
            local = bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue));
            remote = bed.domain(1).createQueuePair(QueuePairConfig.reliable(other));
        }

        void connect(ConnectOptions options) {
            local.connect(remote.localAddress(), options);
            remote.connect(local.localAddress(), options);
        }

        void close() {
            local.close();
            remote.close();
        }
    }

    private static void lifecycle(ContractBed bed) {
        int rounds = bed.scaled("rounds", 100, 20);
        End target = bed.pair().b();
        List<Worker> workers = new ArrayList<>();
        List<Own> owned = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            Own own = new Own(bed);
            own.connect(ConnectOptions.DEFAULT);
            owned.add(own);
            workers.add(() -> {
                if (!own.posted) {
                    own.local.postSend(
                            Operation.READ.request(own.rounds, own.region.all(), target.address(0), target.key()));
                    own.posted = true;
                } else if (own.queue.poll(own.done) == 1) {
                    assertTrue(own.done[0].isSuccess(), own.done[0]::toString);
                    own.posted = false;
                    own.rounds++;
                    own.close();
                    own.make(bed);
                    own.connect(ConnectOptions.DEFAULT);
                }
                return own.rounds < rounds;
            });
        }
        bed.run(workers);
        owned.forEach(Own::close);
    }

    private static void destroyTarget(ContractBed bed) {
        int rounds = bed.scaled("rounds", 20, 4);
        ConnectOptions options = ConnectOptions.DEFAULT.retryCount(5);
        End target = bed.pair().b();
        List<Worker> workers = new ArrayList<>();
        List<Own> owned = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            Own own = new Own(bed);
            own.connect(options);
            owned.add(own);
            int[] reads = new int[1];
            workers.add(() -> {
                if (!own.posted) {
                    own.local.postSend(
                            Operation.READ.request(reads[0], own.region.all(), target.address(0), target.key()));
                    own.posted = true;
                    if (++reads[0] == 5) {
                        own.remote.close();
                    }
                } else if (own.queue.poll(own.done) == 1) {
                    own.posted = false;
                    WorkCompletionStatus status = own.done[0].status();
                    if (status != SUCCESS) {
                        assertTrue(status == RETRY_EXC_ERR || status == WR_FLUSH_ERR, own.done[0]::toString);
                        assertTrue(reads[0] >= 5, "only after the target went");
                        own.local.close();
                        own.make(bed);
                        own.connect(options);
                        reads[0] = 0;
                        own.rounds++;
                    }
                }
                return own.rounds < rounds;
            });
        }
        bed.run(workers);
        owned.forEach(Own::close);
    }

    private static void sharedQueuePair(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE
                .completions(WORKERS * EACH)
                .shape(config -> config.maxSendWorkRequests(WORKERS * EACH)));
        List<Worker> workers = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            long base = w * 1_000L;
            int[] count = new int[1];
            workers.add(() -> {
                pair.a().post(Operation.WRITE.between(base + count[0]++, pair.a(), pair.b()));
                return count[0] < EACH;
            });
        }
        bed.run(workers);
        int[] next = new int[WORKERS];
        for (int i = 0; i < WORKERS * EACH; i++) {
            WorkCompletion done = pair.a().nextSent();
            assertTrue(done.isSuccess(), done::toString);
            int worker = (int) (done.workRequestId() / 1_000);
            assertEquals(next[worker]++, done.workRequestId() % 1_000);
        }
    }

    private static void sharedQueue(ContractBed bed) {
        int count = WORKERS * EACH;
        Pair pair = bed.pair(PairPlan.RELIABLE.completions(count).shape(config -> config.maxSendWorkRequests(count)));
        for (int i = 0; i < count; i++) {
            pair.a().post(Operation.WRITE.between(i, pair.a(), pair.b()));
        }
        List<Long> seen = Collections.synchronizedList(new ArrayList<>());
        List<Worker> workers = new ArrayList<>();
        for (int w = 0; w < WORKERS; w++) {
            WorkCompletion[] done = WorkCompletion.array(3);
            workers.add(() -> {
                int n = pair.a().sends().poll(done);
                for (int i = 0; i < n; i++) {
                    assertTrue(done[i].isSuccess(), done[i]::toString);
                    seen.add(done[i].workRequestId());
                }
                return seen.size() < count;
            });
        }
        bed.run(workers);
        assertEquals(count, seen.size());
        assertEquals(count, new HashSet<>(seen).size(), "each once");
    }

    private static void queries(ContractBed bed) {
        Pair pair = bed.pair();
        int[] made = new int[1];
        Worker maker = () -> {
            register(bed).close();
            return ++made[0] < EACH;
        };
        int[] asked = new int[1];
        Worker asker = () -> {
            assertTrue(bed.device(0).attributes().maxQueuePairs() > 0);
            assertTrue(!bed.device(0).counters().isEmpty());
            assertTrue(pair.a().queuePair().query().state() == QueuePairState.RTS);
            return ++asked[0] < EACH;
        };
        WorkCompletion[] done = WorkCompletion.array(1);
        int[] writes = {-1};
        Worker writer = () -> {
            if (writes[0] < 0 || pair.a().sends().poll(done) == 1) {
                pair.a().post(Operation.WRITE.between(++writes[0], pair.a(), pair.b()));
            }
            return writes[0] < EACH;
        };
        bed.run(List.of(maker, asker, writer));
        pair.a().expectSent(EACH);
    }
}
