package io.rdma4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README is the first thing a reader copies, so it compiles and does what the text says. */
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");

    @TempDir
    private Path directory;

    @Test
    void theProgramInTheReadmeCompilesAndRuns() throws Exception {
        String program = programInReadme();
        assertThat(program.lines().count())
                .as("lines of a program said to be short")
                .isLessThanOrEqualTo(40);
        // On a free port, since somebody may be trying the README's command beside this test.
        Path source = directory.resolve("Hello.java");
        Files.writeString(source, program.replace("udp://127.0.0.1", "udp://127.0.0.1?port=0"));

        compile(source);

        assertThat(run("Hello")).startsWith("IBV_WC_SUCCESS").contains("hello, RDMA");
    }

    private static String programInReadme() throws IOException {
        String text = Files.readString(README);
        int start = text.indexOf("```java\n") + "```java\n".length();
        return text.substring(start, text.indexOf("```", start));
    }

    private void compile(Path source) {
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
    }

    private String run(String name) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            System.setOut(new PrintStream(printed, true, UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(console);
        }
        return printed.toString(UTF_8);
    }
}
