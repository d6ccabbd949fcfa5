package io.rdma4j.tools.cli;

import io.rdma4j.verbs.RdmaException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Reports a failure by its message alone; with {@code --verbose} an unexpected one shows its stack trace. */
public final class ErrorReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println(command.getCommandName() + ": " + describe(failure));
        if (command.getCommandSpec().userObject() instanceof ToolCommand tool
                && tool.verbose()
                && isUnexpected(failure)) {
            failure.printStackTrace(command.getErr());
        }
        return ExitCode.SOFTWARE;
    }

    /** A refusal in words needs no trace: where it was refused helps nobody who reads why. */
    private static boolean isUnexpected(Exception failure) {
        return !(failure instanceof RdmaException) && !(failure instanceof ToolException);
    }

    private static String describe(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
