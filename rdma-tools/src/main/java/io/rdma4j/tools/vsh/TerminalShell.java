package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.Answer;
import io.rdma4j.tools.vsh.shell.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;

/** A shell for people: line editing, history, completion, and answers that are explained. */
final class TerminalShell {
    private static final String PROMPT = "vsh> ";
    private static final String HISTORY_FILE = ".rdma4j_history";

    /** Lines that are remembered. */
    private static final int MAX_HISTORY = 1_000;

    private final Session session;
    private final InterruptibleWork waiting = new InterruptibleWork();

    TerminalShell(Session session) {
        this.session = session;
    }

    /** Runs until {@code quit} or the end of input. Ctrl-C empties the line, or ends the wait of a command. */
    void run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder()
                .system(true)
                .exec(true)
                .jni(false)
                .ffm(false)
                .dumb(true)
                .build()) {
            terminal.handle(Signal.INT, signal -> waiting.interrupt());
            PrintWriter out = terminal.writer();
            out.println(session.greeting().line());
            out.println("help lists the commands, TAB completes, Ctrl-D leaves.");
            LineReader reader = reader(terminal);
            while (!session.isOver() && step(reader, out)) {
                out.flush();
            }
        }
    }

    private LineReader reader(Terminal terminal) {
        DefaultParser words = new DefaultParser();
        words.setEscapeChars(null);
        words.setQuoteChars(new char[0]);
        return LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(words)
                .completer(new SessionCompleter(session.completion()))
                .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), HISTORY_FILE))
                .variable(LineReader.HISTORY_SIZE, MAX_HISTORY)
                .variable(LineReader.HISTORY_FILE_SIZE, MAX_HISTORY)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
    }

    /** Does one line; false at the end of input. */
    private boolean step(LineReader reader, PrintWriter out) {
        String line;
        try {
            line = reader.readLine(PROMPT);
        } catch (UserInterruptException e) {
            return true;
        } catch (EndOfFileException e) {
            return false;
        }
        Answer answer = waiting.during(() -> session.run(line));
        if (answer != null) {
            out.println(answer.line());
            answer.explanations().forEach(words -> out.println("  " + words));
        }
        return true;
    }
}
