package io.rdma4j.tools.text;

import java.io.Console;

/** Whether somebody is looking. */
public final class Terminal {
    private Terminal() {}

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
