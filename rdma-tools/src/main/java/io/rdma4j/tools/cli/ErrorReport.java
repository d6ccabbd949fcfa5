package io.rdma4j.tools.cli;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Reports a failure by its message alone; the stack trace is for those who ask with {@code --verbose}. */
public final class ErrorReport implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        command.getErr().println(command.getCommandName() + ": " + describe(failure));
        if (command.getCommandSpec().userObject() instanceof ToolCommand tool && tool.verbose()) {
            failure.printStackTrace(command.getErr());
        }
        return ExitCode.SOFTWARE;
    }

    private static String describe(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
