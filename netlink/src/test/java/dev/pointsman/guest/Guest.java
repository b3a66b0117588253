package dev.pointsman.guest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A guest as seen from here, started by the first test that needs it. What it shall run and what
/// became of it are files of a folder that both sides can write ([Errands]).
final class Guest implements AutoCloseable {
    /// Ends the guest although this JVM lives: far more than a module may take.
    private static final Duration LONGEST_LIFE = Duration.ofHours(3);

    private static final Duration FOR_THE_START = Duration.ofMinutes(5);

    /// The guest says itself when a test took too long, with what its threads do; this is for one
    /// that does not even come to that.
    private static final Duration FOR_LAST_WORDS = Duration.ofMinutes(1);

    private static final int MEBIBYTES = 3072;
    private static final int LOOK_MILLIS = 50;
    private static final int SECONDS_FOR_THE_END = 30;

    private record Running(Process process, Errands errands) {}

    private final int number;
    private Optional<Running> running = Optional.empty();

    Guest(int number) {
        this.number = number;
    }

    /// Why there is no guest on this machine, if so.
    static Optional<String> obstacle() {
        return Obstacle.FOUND;
    }

    /// Looked for once: it is the same for all tests.
    private static final class Obstacle {
        private static final Optional<String> FOUND = find();

        private static Optional<String> find() {
            try {
                Process check =
                        new ProcessBuilder(program(), "--check").redirectErrorStream(true).start();
                String said =
                        new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return check.waitFor() == 0 ? Optional.empty() : Optional.of(said.strip());
            } catch (IOException e) {
                return Optional.of(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.of("interrupted while looking");
            }
        }
    }

    /// `tools/kernel-vm` of the checkout that a module's tests run in.
    private static String program() {
        for (Path folder = Path.of("").toAbsolutePath();
                folder != null;
                folder = folder.getParent()) {
            Path program = folder.resolve("tools").resolve("kernel-vm");
            if (Files.isExecutable(program)) {
                return program.toString();
            }
        }
        throw new IllegalStateException("tools/kernel-vm is in no folder above this one");
    }

    /// Runs one test.
    ///
    /// @param id the one it has on both sides
    /// @param name for people
    Verdict run(String id, String name, Duration limit) throws Exception {
        Running guest = started();
        System.out.println("in guest " + number + ": " + name);
        Path answer = guest.errands().ask(id, limit);
        try {
            await(guest, answer, limit.plus(FOR_LAST_WORDS), name);
        } catch (AssertionError e) {
            close();
            throw e;
        }
        Verdict verdict = Verdict.read(answer);
        if (verdict instanceof Verdict.Late) {
            close();
        }
        return verdict;
    }

    private Running started() throws Exception {
        if (running.isEmpty() || !running.get().process().isAlive()) {
            close();
            running = Optional.of(start());
            Running guest = running.get();
            await(guest, guest.errands().ready(), FOR_THE_START, "its start");
        }
        return running.get();
    }

    private Running start() throws IOException {
        Path folder =
                Files.createTempDirectory(Files.createDirectories(Path.of("target")), "guest")
                        .toRealPath();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program(),
                                "-m",
                                String.valueOf(MEBIBYTES),
                                "-t",
                                String.valueOf(LONGEST_LIFE.toSeconds()),
                                "-p",
                                String.valueOf(ProcessHandle.current().pid()),
                                "-o",
                                folder.toString(),
                                "--",
                                "env"));
        System.getenv()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith("POINTSMAN_")) {
                                command.add(name + "=" + value);
                            }
                        });
        command.addAll(virtualMachine());
        command.addAll(List.of(GuestMain.class.getName(), folder.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Thread.ofPlatform().daemon().name("guest").start(() -> show(process));
        return new Running(process, new Errands(folder));
    }

    /// As this one, but for what a debugger or the like has added.
    private static List<String> virtualMachine() {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!argument.startsWith("-agent") && !argument.startsWith("-javaagent")) {
                command.add(argument);
            }
        }
        System.getProperties()
                .forEach(
                        (name, value) -> {
                            if (name.equals("golden") || name.toString().startsWith("pointsman.")) {
                                command.add("-D" + name + "=" + value);
                            }
                        });
        command.addAll(
                List.of(
                        "-Dguest=here",
                        // To compile less where compiling is emulated too.
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path")));
        return command;
    }

    private void show(Process process) {
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                System.out.println("guest " + number + ": " + line);
            }
        } catch (IOException e) {
            System.out.println("guest " + number + ": no more of its output: " + e.getMessage());
        }
    }

    private static void await(Running guest, Path file, Duration limit, String what)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!Files.exists(file)) {
            if (guest.process().waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the guest ended during " + what + "; see its output");
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "no word from the guest of " + what + " for " + limit.toSeconds() + " s");
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (running.isPresent()) {
            Running guest = running.get();
            running = Optional.empty();
            guest.process().destroy();
            guest.process().onExit().orTimeout(SECONDS_FOR_THE_END, TimeUnit.SECONDS).join();
            guest.errands().delete();
        }
    }
}
