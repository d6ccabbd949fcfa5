package io.rdma4j.testkit.fabric;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/testing.md shows a test that people will copy: it compiles, and does what it says. */
class TestingDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "testing.md");

    /** 4.096 us * 2^14 (§4.4). */
    private static final long TIMEOUT_NS = 4_096L << 14;

    @TempDir
    Path directory;

    @Test
    void theTestInTheDocumentCompilesAndIsRight() throws Exception {
        Path source = directory.resolve("LostAck.java");
        Files.writeString(source, program());
        ByteArrayOutputStream errors = new ByteArrayOutputStream();

        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        errors,
                        errors,
                        "-d",
                        directory.toString(),
                        "-Xlint:all,-path",
                        "-Werror",
                        source.toString());

        assertThat(status).as(errors.toString(UTF_8)).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Method run = loader.loadClass("LostAck").getDeclaredMethod("run");
            run.setAccessible(true);
            assertThat((long) run.invoke(null)).isBetween(TIMEOUT_NS, 4 * TIMEOUT_NS);
        }
    }

    private static String program() throws IOException {
        String text = Files.readString(DOCUMENT);
        int start = text.indexOf("```java\n") + "```java\n".length();
        return text.substring(start, text.indexOf("```", start));
    }
}
