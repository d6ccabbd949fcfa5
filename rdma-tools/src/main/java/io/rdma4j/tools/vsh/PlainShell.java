package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.Answer;
import io.rdma4j.tools.vsh.shell.Session;
import java.io.IOException;
import java.io.PrintWriter;

/** Lines in, one answer line each out: for pipes, scripts and connections. */
final class PlainShell {
    private final Session session;
    private final PrintWriter out;
    private final boolean isEchoing;
    private final boolean isExplaining;
    private boolean hadErrors;

    /**
     * A shell that prints to {@code out}.
     *
     * @param isEchoing whether each command is printed before its answer, behind {@code > }
     * @param isExplaining whether answers are explained, in lines that begin with {@code #}
     */
    PlainShell(Session session, PrintWriter out, boolean isEchoing, boolean isExplaining) {
        this.session = session;
        this.out = out;
        this.isEchoing = isEchoing;
        this.isExplaining = isExplaining;
    }

    /** Prints what a session says first. */
    void greet() {
        print(session.greeting());
    }

    /** Does all lines, or those up to {@code quit}. */
    void run(BoundedLines lines) throws IOException {
        String line = lines.next();
        while (line != null) {
            run(line);
            line = session.isOver() ? null : lines.next();
        }
    }

    /** Does one line. */
    void run(String line) {
        if (isEchoing && !line.isBlank()) {
            out.println("> " + line.strip());
        }
        Answer answer = session.run(line);
        if (answer != null) {
            print(answer);
        }
    }

    private void print(Answer answer) {
        hadErrors |= !answer.isOk();
        out.println(answer.line());
        if (isExplaining) {
            answer.explanations().forEach(line -> out.println(("# " + line).stripTrailing()));
        }
        out.flush();
    }

    /** Whether anything was refused. */
    boolean hadErrors() {
        return hadErrors;
    }
}
