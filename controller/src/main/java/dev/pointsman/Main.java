package dev.pointsman;

import dev.pointsman.conntrack.ConntrackCleanup;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.logging.LibraryDefaults;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TimeZone;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/// Builds the program by hand and starts it.
public final class Main {
    private Main() {}

    /// The process.
    public static void main(String[] args) {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        LibraryDefaults.name();
        PrintWriter out = writer(FileDescriptor.out, false);
        PrintWriter err = writer(FileDescriptor.err, true);
        Surroundings around =
                new Surroundings(
                        System.in,
                        out,
                        err,
                        screen(1),
                        screen(2),
                        System.getenv(),
                        System::nanoTime,
                        InstantSource.system(),
                        new Random(),
                        () -> ServiceLoader.load(Mode.class),
                        Main::hostname,
                        new ConntrackCleanup(),
                        Path.of("/"));
        int exitCode = run(around, args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /// Does what `args` say and returns the exit code.
    static int run(Surroundings around, String... args) {
        List<String> words = KubeProxyCall.translated(List.of(args));
        PointsmanCommand root = new PointsmanCommand();
        CommandLine line = new CommandLine(root);
        Verbs.of(words, around).forEach(line::addSubcommand);
        line.setOut(around.out());
        line.setErr(around.err());
        line.setColorScheme(
                Help.defaultColorScheme(around.wantsColour() ? Help.Ansi.ON : Help.Ansi.OFF));
        line.setParameterExceptionHandler((e, _) -> Misuse.told(e, around.err()));
        line.setExecutionExceptionHandler((e, _, _) -> failed(e, root, around.err()));
        int exitCode = line.execute(words.toArray(String[]::new));
        around.out().flush();
        around.err().flush();
        return exitCode;
    }

    private static int failed(Exception e, PointsmanCommand root, PrintWriter err)
            throws Exception {
        return switch (e) {
            case ParameterException misuse -> throw misuse;
            case Complaint complaint -> {
                for (String line : complaint.lines()) {
                    err.println(
                            line.startsWith("error: ") || line.startsWith("warning: ")
                                    ? line
                                    : "error: " + line);
                }
                yield complaint.exitCode();
            }
            case DataplaneUnavailable unavailable -> {
                err.println("error: " + oneLine(unavailable));
                yield Exit.UNREACHABLE;
            }
            default -> {
                err.println("error: this is a bug in Pointsman: " + oneLine(e));
                if (root.verbose) {
                    e.printStackTrace(err);
                } else {
                    err.println("The same command with -v shows where; please report that.");
                }
                yield Exit.BUG;
            }
        };
    }

    static String oneLine(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.replaceAll("\\s*\\R\\s*", "; ");
    }

    private static PrintWriter writer(FileDescriptor descriptor, boolean autoFlush) {
        return new PrintWriter(new FileOutputStream(descriptor), autoFlush, StandardCharsets.UTF_8);
    }

    /// What a stream of this process leads to. System.console() answers for standard input, and
    /// costs more.
    private static Surroundings.Screen screen(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return target.startsWith("/dev/pts") || target.startsWith("/dev/tty")
                    ? Surroundings.Screen.TERMINAL
                    : Surroundings.Screen.LOG;
        } catch (IOException e) {
            return Surroundings.Screen.LOG;
        }
    }

    private static String hostname() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("reading the name of this machine", e);
        }
    }
}
