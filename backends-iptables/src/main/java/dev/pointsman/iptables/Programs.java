package dev.pointsman.iptables;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.graph.Family;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The iptables programs of one family and variant, in the network namespace of the calling thread.
record Programs(Family family, Variant variant) {

    /// What a program said.
    record Answer(int code, String output, String errors) {
        boolean isSuccess() {
            return code == 0;
        }

        /// Whether it was ended by a signal, wherever it was by then.
        boolean wasKilled() {
            return code > SIGNALS;
        }

        boolean isBusy() {
            // Exit code 4 says so as well, but iptables-nft gives it for refused rules too.
            return !isSuccess()
                    && (errors.contains("xtables lock")
                            || errors.contains("Resource temporarily unavailable"));
        }
    }

    /// What is written to a program's standard input.
    private interface Input {
        void write(Appendable out) throws IOException;
    }

    /// Seconds that a program waits for the lock, in polls of 100 ms; the loop tries again anyway.
    private static final String WAIT_SECONDS = "2";

    /// A process that a signal ends has this plus the signal's number for an exit code.
    private static final int SIGNALS = 128;

    private static final String WAIT_INTERVAL = "100000";
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");

    /// Whether the programs are installed.
    boolean areInstalled() {
        return Stream.of("/usr/sbin", "/sbin", "/usr/local/sbin", "/usr/bin", "/bin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name("-restore"))));
    }

    /// All tables, as far as they exist. One of ours that iptables-nft leaves out, since somebody
    /// wrote into it with nft, fails the answer: it is not empty, and must not be taken for that.
    Answer save() {
        Answer saved = run(List.of(name("-save")), _ -> {});
        for (Table table : Table.values()) {
            if (saved.output().contains("# Table `" + table.keyword() + "' is incompatible")) {
                return new Answer(
                        1,
                        saved.output(),
                        "table "
                                + table.keyword()
                                + " holds rules that nft or a later iptables wrote and this one"
                                + " cannot read; move those of nft to a table of their own (`nft -a"
                                + " list ruleset` shows them), or update iptables");
            }
        }
        return saved;
    }

    /// One table; tables that do not exist are not made.
    Answer save(Table table) {
        return run(List.of(name("-save"), "-t", table.keyword()), _ -> {});
    }

    /// Runs restores one after the other, in one process.
    Answer restore(List<Restore> restores, List<String> waiting) {
        List<String> command =
                new ArrayList<>(List.of(name("-restore"), "--noflush", "--counters"));
        command.addAll(waiting);
        return run(
                command,
                out -> {
                    for (Restore restore : restores) {
                        restore.print(out);
                    }
                });
    }

    /// The rules of one chain.
    Answer list(Table table, String chain, List<String> waiting) {
        List<String> command = new ArrayList<>(List.of(name("")));
        command.addAll(waiting);
        command.addAll(List.of("-t", table.keyword(), "-S", chain));
        return run(command, _ -> {});
    }

    /// The options with which these programs wait for the lock.
    ///
    /// @throws DataplaneUnavailable for a version whose restore cannot wait
    List<String> waiting() {
        String printed = run(List.of(name(""), "--version"), _ -> {}).output();
        Matcher matcher = VERSION.matcher(printed);
        if (!matcher.find()) {
            throw unavailable("its version is not known: " + printed.strip(), new IOException());
        }
        return waiting(
                Integer.parseInt(matcher.group(1)) * 10_000
                        + Integer.parseInt(matcher.group(2)) * 100
                        + Integer.parseInt(matcher.group(3)));
    }

    /// @param version with two digits for each part, as 10809 is 1.8.9
    static List<String> waiting(int version) {
        if (version < 1_06_02) {
            throw new DataplaneUnavailable(
                    "iptables-restore before 1.6.2 cannot wait for the xtables lock; install a"
                            + " later one",
                    new IOException("version " + version));
        }
        // Since 1.8.8 programs poll by themselves, and the interval is deprecated.
        return version < 1_08_08
                ? List.of("-w", WAIT_SECONDS, "-W", WAIT_INTERVAL)
                : List.of("-w", WAIT_SECONDS);
    }

    String name(String suffix) {
        String program =
                switch (family) {
                    case IPV4 -> "iptables";
                    case IPV6 -> "ip6tables";
                };
        return program + "-" + variant.word() + suffix;
    }

    /// The exception for a program that failed where nothing but success can be worked with.
    DataplaneUnavailable unavailable(Answer answer) {
        return unavailable(answer.errors().strip(), new IOException("exit code " + answer.code()));
    }

    private Answer run(List<String> command, Input input) {
        try (ErrorOutput errors = ErrorOutput.open()) {
            Process process = new ProcessBuilder(command).redirectError(errors.target()).start();
            feed(process, input);
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            return new Answer(code, output, errors.text());
        } catch (IOException e) {
            throw unavailable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while it ran", e);
        }
    }

    /// A program that finds a fault stops reading; what it says about it is the answer.
    private static void feed(Process process, Input input) {
        try (var out =
                new BufferedWriter(
                        new OutputStreamWriter(
                                process.getOutputStream(), StandardCharsets.UTF_8))) {
            input.write(out);
        } catch (IOException _) {
            // Broken pipe: its exit code says more.
        }
    }

    private DataplaneUnavailable unavailable(String what, Throwable cause) {
        return new DataplaneUnavailable(
                family.title()
                        + " rules of mode iptables: "
                        + name("-restore")
                        + ": "
                        + what
                        + " (needed: iptables 1.6.2 or later on the path, and CAP_NET_ADMIN and"
                        + " CAP_NET_RAW in the node's network namespace)",
                cause);
    }
}
