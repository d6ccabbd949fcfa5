package io.rdma4j.core.pcap;

/** What a record of a capture turned out to be. */
public sealed interface CapturedFrame permits RoceFrame, OtherFrame {
    /** The frame in one line, for people. */
    String line();
}
