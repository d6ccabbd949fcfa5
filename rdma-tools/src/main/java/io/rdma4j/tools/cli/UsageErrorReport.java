package io.rdma4j.tools.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what was wrong with a command line, and how it goes in short. The whole help of a command is longer than a terminal
 * is high: the message above it would be the one thing that nobody sees.
 */
public final class UsageErrorReport implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(command.getCommandName() + ": " + describe(failure));
        UnmatchedArgumentException.printSuggestions(failure, err);
        if (command.getParent() == null) {
            command.usage(err); // short, and it names the commands there are
        } else {
            String name = command.getCommandSpec().qualifiedName();
            err.print("Usage: " + command.getHelp().synopsis("Usage: ".length()));
            err.println("Try '" + name + " --help' for what the options mean.");
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String describe(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            String argument = unmatched.getUnmatched().get(0);
            return failure.getCommandLine().getParent() == null
                    ? "there is no command '" + argument + "'"
                    : "'" + argument + "' is one argument too many";
        }
        return String.valueOf(failure.getMessage()).replaceFirst("is not an? (int|long)$", "is not a whole number");
    }
}
