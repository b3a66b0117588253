package dev.pointsman.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A program that an operator would use, and that a variable of the environment names.
///
/// @param path of the program
record Tool(String path) {
    static Tool helm() {
        return named("POINTSMAN_HELM", "deploy/helm/helm");
    }

    static Tool kubectl() {
        return named("POINTSMAN_KUBECTL", "perf/peers/kube-peers build kubectl");
    }

    private static Tool named(String variable, String remedy) {
        String path = System.getenv(variable);
        if (path == null) {
            String reason = "skipped: " + variable + " names no program; see " + remedy;
            System.out.println(reason);
            assumeTrue(false, reason);
        }
        return new Tool(String.valueOf(path));
    }

    /// What came of it.
    ///
    /// @param out what it said on standard output
    /// @param err what it said on standard error
    record Ended(int code, String out, String err) {}

    /// Runs it in the folder of this module.
    Ended tried(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(path));
        command.addAll(List.of(arguments));
        Path err = Files.createTempFile("tool", ".err");
        Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        String said = Files.readString(err);
        Files.delete(err);
        return new Ended(code, out, said);
    }

    /// What it prints.
    String run(String... arguments) throws Exception {
        Ended ended = tried(arguments);
        if (ended.code() != 0) {
            throw new AssertionError(String.join(" ", arguments) + ": " + ended.err());
        }
        return ended.out();
    }
}
