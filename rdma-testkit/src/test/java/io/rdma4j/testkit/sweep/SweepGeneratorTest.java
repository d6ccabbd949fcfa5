package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.sweep.ConnectionPlan.CompletionQueues;
import io.rdma4j.testkit.sweep.ConnectionPlan.MemoryLayout;
import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import io.rdma4j.verbs.PathMtu;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That the seeds the build runs cover what they are for. */
class SweepGeneratorTest {
    private static final List<SweepPlan> PLANS = LongStream.range(0, TwoNodeSweepTest.SEEDS)
            .mapToObj(SweepGenerator::generate)
            .toList();

    @Test
    void equalSeedsGiveEqualPlans() {
        assertThat(SweepGenerator.generate(17)).isEqualTo(SweepGenerator.generate(17));
        assertThat(SweepGenerator.generate(18)).isNotEqualTo(SweepGenerator.generate(17));
    }

    @Test
    void everyMtuAndEveryLayoutOccurs() {
        assertThat(PLANS.stream().map(plan -> plan.connection().pathMtu()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(PathMtu.values());
        assertThat(PLANS.stream()
                        .map(plan -> plan.connection().completionQueues())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(CompletionQueues.values());
        assertThat(PLANS.stream().map(plan -> plan.connection().memory()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(MemoryLayout.values());
        assertThat(PLANS.stream().map(plan -> plan.connection().queuePairs()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(1, 2, 3);
        assertThat(PLANS.stream().map(plan -> plan.connection().ipv6()).collect(Collectors.toSet()))
                .hasSize(2);
    }

    @Test
    void everyOperationOccursWithEveryMtu() {
        for (PathMtu mtu : PathMtu.values()) {
            Set<Class<?>> kinds = PLANS.stream()
                    .filter(plan -> plan.connection().pathMtu() == mtu)
                    .flatMap(plan -> plan.lanes().stream())
                    .flatMap(lane -> lane.operations().stream())
                    .map(Object::getClass)
                    .collect(Collectors.toSet());
            assertThat(kinds).as(mtu.toString()).hasSize(5);
        }
    }

    @Test
    void everyVariationOccurs() {
        List<Operation> all = PLANS.stream()
                .flatMap(plan -> plan.lanes().stream())
                .flatMap(lane -> lane.operations().stream())
                .toList();
        for (Notice.Kind kind : Notice.Kind.values()) {
            for (boolean inline : new boolean[] {false, true}) {
                assertThat(all)
                        .as("SEND %s, inline %s", kind, inline)
                        .anyMatch(operation -> operation instanceof SendMessage send
                                && send.notice().kind() == kind
                                && send.notice().inline() == inline);
            }
        }
        assertThat(all)
                .anyMatch(operation -> operation instanceof WriteMessage write
                        && write.notice().kind() == Notice.Kind.IMMEDIATE
                        && write.notice().solicited());
        assertThat(all).anyMatch(operation -> operation.local().size() == Variations.MAX_SGES);
        assertThat(all).anyMatch(operation -> operation.receive().size() == Variations.MAX_SGES);
        assertThat(PLANS).anyMatch(SweepPlan::sharedReceives).anyMatch(plan -> !plan.sharedReceives());
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 7, 9, 475, 498})
    void regressionSeedsKeepTheirPrograms(long seed) {
        assertThat(SweepGenerator.generate(seed).lanes())
                .flatExtracting(LanePlan::operations)
                .allMatch(operation -> operation.notice().equals(Notice.NONE)
                        && operation.local().size() <= 4);
    }

    @Test
    void faultsAreFromOneInAThousandToFiveInAHundred() {
        for (SweepPlan plan : PLANS) {
            for (FabricOptions options :
                    List.of(plan.network().fromA(), plan.network().fromB())) {
                assertThat(DoubleStream.of(options.loss(), options.duplicate(), options.reorder(), options.corrupt()))
                        .allMatch(fault -> fault >= 0.001 && fault <= 0.05);
            }
        }
    }

    @Test
    void halfOfTheSeedsWrapTheirPsn() {
        long wrapping = PLANS.stream()
                .filter(plan -> plan.lanes().stream().anyMatch(lane -> wraps(plan, lane)))
                .count();
        assertThat(wrapping).isGreaterThan(PLANS.size() / 2);
    }

    private static boolean wraps(SweepPlan plan, LanePlan lane) {
        MessageSizes sizes = new MessageSizes(plan.connection().pathMtu().bytes());
        int packets = lane.operations().stream()
                .mapToInt(operation -> sizes.packets(Area.length(operation.local())))
                .sum();
        return plan.connection().startPsn(lane.queuePair(), lane.from()) + packets > 0xFFFFFF;
    }

    @Test
    void messagesReachFromNothingToAMebibyte() {
        List<Integer> lengths = PLANS.stream()
                .flatMap(plan -> plan.lanes().stream())
                .flatMap(lane -> lane.operations().stream())
                .map(operation -> Area.length(operation.local()))
                .toList();
        assertThat(lengths).contains(0, 1, 3, 4);
        assertThat(lengths).anyMatch(length -> length > 1 << 19);
        assertThat(lengths).allMatch(length -> length <= 1 << 20);
    }

    @Test
    void aQueueIsNeverFullOfUnsignaledRequests() {
        for (SweepPlan plan : PLANS) {
            for (LanePlan lane : plan.lanes()) {
                int run = 0;
                for (Operation operation : lane.operations()) {
                    run = operation.flags().signaled() ? 0 : run + 1;
                    assertThat(run).isLessThan(plan.connection().depth());
                }
                assertThat(run).as("the last is signaled").isZero();
            }
        }
    }
}
