package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.ShellLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Lines of text, of which too long a one is cut just beyond the limit, so that it is refused and fills no memory. */
final class BoundedLines {
    private final BufferedReader reader;

    BoundedLines(Reader reader) {
        this.reader = new BufferedReader(reader);
    }

    /** The next line, or null at the end. */
    @Nullable
    String next() throws IOException {
        StringBuilder line = new StringBuilder();
        int c = reader.read();
        if (c < 0) {
            return null;
        }
        for (; c >= 0 && c != '\n'; c = reader.read()) {
            if (line.length() <= ShellLimits.MAX_LINE) {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
