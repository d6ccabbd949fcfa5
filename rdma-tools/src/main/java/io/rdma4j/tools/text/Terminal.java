package io.rdma4j.tools.text;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Whether somebody is looking, and how wide the window is. */
public final class Terminal {
    private static final int MIN_COLUMNS = 8;

    private Terminal() {}

    /** What the variable COLUMNS says, which is all that Java can know; else {@link ProgressBar#COLUMNS}. */
    static int columns() {
        return columns(System.getenv("COLUMNS"));
    }

    static int columns(@Nullable String variable) {
        return variable != null && variable.matches("[1-9][0-9]{0,3}")
                ? Math.max(MIN_COLUMNS, Integer.parseInt(variable))
                : ProgressBar.COLUMNS;
    }

    /** Whether standard input and output are a terminal, so that a line may be overwritten. */
    @SuppressWarnings("SystemConsoleNull") // what newer JDKs say is asked below
    public static boolean isInteractive() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // JDK 22 and later have it, and JDK 22 to 24 give a console for a pipe as well.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException olderJdk) {
            return true;
        }
    }
}
