package dev.pointsman;

import java.io.PrintWriter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What people are told whose command line cannot be understood.
public final class Misuse {
    private Misuse() {}

    /// Says what is wrong, what may have been meant and where to read on, and gives the exit code.
    public static int told(ParameterException e, PrintWriter err) {
        err.println("error: " + Main.oneLine(e));
        if (e instanceof UnmatchedArgumentException unmatched) {
            unmatched.getUnmatched().stream()
                    .filter(argument -> argument.startsWith("@"))
                    .forEach(file -> err.println(file + ": there is no such file of options"));
        }
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return Exit.INPUT;
    }
}
