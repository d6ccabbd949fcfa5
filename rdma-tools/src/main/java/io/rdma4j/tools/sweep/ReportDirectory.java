package io.rdma4j.tools.sweep;

import io.rdma4j.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the recordings of seeds go. */
final class ReportDirectory {
    private static final String DEFAULT_NAME = "rdma4j-sweep";

    private ReportDirectory() {}

    /** The directory that was asked for, else one in the working directory, else one in the temporary directory. */
    static Path choose(@Nullable Path asked) {
        if (asked != null) {
            return asked;
        }
        Path here = Path.of(DEFAULT_NAME);
        if (Files.exists(here) ? Files.isWritable(here) : Files.isWritable(Path.of("."))) {
            return here;
        }
        try {
            return Files.createTempDirectory(DEFAULT_NAME);
        } catch (IOException e) {
            throw new ToolException("no place for recordings: name one with --reports DIR", e);
        }
    }
}
