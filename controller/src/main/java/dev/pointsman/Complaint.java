package dev.pointsman;

import java.util.List;

/// Ends a command: it cannot do what it was asked. One line for each thing that is wrong, with
/// what, where and how to mend it.
final class Complaint extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Complaint(int exitCode, List<String> lines) {
        super(String.join("\n", lines), null, false, false);
        this.exitCode = exitCode;
    }

    /// What was given cannot be used.
    static Complaint ofInput(String line) {
        return new Complaint(Exit.INPUT, List.of(line));
    }

    int exitCode() {
        return exitCode;
    }

    List<String> lines() {
        return String.valueOf(getMessage()).lines().toList();
    }
}
