package io.rdma4j.testkit.sweep;

import java.nio.file.Path;

/**
 * The files that a recorded run leaves behind.
 *
 * @param sent pcap of the frames as they were sent
 * @param arrived pcap of the frames as they arrived, after the faults
 * @param trace one line a frame, with what became of it
 * @param report what went wrong, and the plan
 */
public record SeedRecording(Path sent, Path arrived, Path trace, Path report) {
    static SeedRecording of(Path directory, String name) {
        return new SeedRecording(
                directory.resolve(name + "-sent.pcap"),
                directory.resolve(name + "-arrived.pcap"),
                directory.resolve(name + ".trace"),
                directory.resolve(name + ".txt"));
    }
}
