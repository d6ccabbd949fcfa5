package io.rdma4j.testkit.contract;

import java.util.List;

/** All cases of the contract. */
public final class ContractSections {
    private static final List<ContractSection> ALL = List.of(
            ContractSection.of("Devices", DeviceCases.cases()),
            ContractSection.of("Paths and ports", PathCases.cases()),
            ContractSection.of("Protection domains", PdCases.cases(), PdMemoryCases.cases(), SrqPdCases.cases()),
            ContractSection.of("Memory regions", MrCases.cases()),
            ContractSection.of("Address handles", AhCases.cases()),
            ContractSection.of("Memory windows", MwCases.cases(), MwTypeCases.cases()),
            ContractSection.of("Access rights", AccessCases.cases()),
            ContractSection.of("Buffer ranges", BufferCases.cases()),
            ContractSection.of("Completion queues", CqCases.cases(), CqBatchCases.cases()),
            ContractSection.of("Completion channels", ChannelCases.cases()),
            ContractSection.of("Queue pairs", QpCases.cases(), QpModifyCases.cases(), QpPostCases.cases()),
            ContractSection.of(
                    "Reliable data path",
                    RcSendCases.cases(),
                    RcReceiveCases.cases(),
                    RcReadWriteCases.cases(),
                    RcKeyCases.cases(),
                    RcAtomicCases.cases(),
                    RcInvalidateCases.cases(),
                    RcStateCases.cases()),
            ContractSection.of(
                    "Shared receive queues", SrqCases.cases(), SrqTrafficCases.cases(), SrqThreadCases.cases()),
            ContractSection.of("Datagrams", UdCases.cases(), UdErrorCases.cases()),
            ContractSection.of("Unreliable connections", UcCases.cases(), SqeCases.cases()),
            ContractSection.of("Multicast", MulticastCases.cases()),
            ContractSection.of("Asynchronous events", AsyncCases.cases()),
            ContractSection.of("Threads", ThreadedCases.cases(), WalkCases.cases()),
            ContractSection.of("Traffic", TrafficCases.cases()),
            ContractSection.of("Losses", LossCases.cases()),
            ContractSection.of("Trouble reports", BugCases.cases(), BugReceiveCases.cases(), TimerBugCases.cases()));

    private ContractSections() {}

    /** The sections, in the order in which they are listed. */
    public static List<ContractSection> all() {
        return ALL;
    }
}
