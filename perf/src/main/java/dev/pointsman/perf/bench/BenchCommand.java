package dev.pointsman.perf.bench;

import dev.pointsman.Misuse;
import dev.pointsman.perf.ClusterShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `pointsman bench`.
@Command(
        name = "pointsman bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Pointsman, and kube-proxy beside it: each as a process of its own, in network"
                    + " namespaces of its own, under generated clusters of growing size.",
            "Needs root, iproute2 and nftables, and for mode iptables iptables. Leaves results.json,"
                    + " report.html and the curves as PNG in a folder; called again with the same"
                    + " folder it goes on where it was."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was measured",
            "2:bad usage or input",
            "3:something could not be measured; what is there is kept"
        })
final class BenchCommand implements Callable<Integer> {
    private static final List<String> MODES = List.of("nftables", "iptables", "ipvs");

    private static final int UNMEASURED = 3;

    private final Path root;
    private final InstantSource clock;

    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "SUITE",
            defaultValue = "small",
            description =
                    "small, which takes four minutes on two processors, or full,"
                            + " which takes hours; ${DEFAULT-VALUE} by default.")
    String suite = "";

    @Option(
            names = "--scale",
            split = ",",
            paramLabel = "SERVICESxENDPOINTS",
            description =
                    "Clusters instead of those of the suite, as in 1000x5, the largest last;"
                            + " endpoints are those of each Service.")
    List<String> scales = new ArrayList<>();

    @Option(
            names = "--mode",
            split = ",",
            paramLabel = "MODE",
            defaultValue = "nftables,iptables",
            description = "nftables, iptables or ipvs; ${DEFAULT-VALUE} by default.")
    List<String> modes = new ArrayList<>();

    @Option(
            names = "--kube-proxy",
            paramLabel = "PATH",
            description =
                    "A kube-proxy to measure as well, in turns; perf/peers/kube-peers build makes one.")
    Optional<Path> kubeProxy = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "pointsman-bench",
            description = "Folder for everything; ${DEFAULT-VALUE} by default.")
    Path out = Path.of("");

    /// @param root of the source tree
    private BenchCommand(Path root, InstantSource clock) {
        this.root = root;
        this.clock = clock;
    }

    static CommandLine line(Path root, InstantSource clock) {
        CommandLine line =
                new CommandLine(new BenchCommand(root, clock)).addSubcommand(new CompareCommand());
        line.setExecutionExceptionHandler(
                (e, _, _) -> {
                    if (!(e instanceof IOException || e instanceof ResultsFile.Unreadable)) {
                        throw e;
                    }
                    line.getErr().println("error: " + e.getMessage());
                    return UNMEASURED;
                });
        line.setParameterExceptionHandler((e, _) -> Misuse.told(e, e.getCommandLine().getErr()));
        return line;
    }

    public static void main(String[] arguments) {
        System.setProperty("java.awt.headless", "true");
        Path root = Path.of(System.getProperty("pointsman.root", "."));
        System.exit(line(root, InstantSource.system()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, ResultsFile.Unreadable {
        Suite chosen = suite();
        List<Proxy> proxies = proxies();
        for (String mode : modes) {
            if (!MODES.contains(mode)) {
                throw misuse("--mode: no mode \"" + mode + "\"; give one of " + MODES);
            }
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            throw misuse("only root can make the network namespaces that this needs");
        }
        PrintWriter progress = spec.commandLine().getErr();
        Bench bench =
                new Bench(
                        chosen,
                        Machine.facts(root, proxies, clock.instant()),
                        Files.createDirectories(out),
                        progress);
        Results results = bench.play(Schedule.of(chosen, modes, proxies));
        Report.write(results, out);
        spec.commandLine().getOut().println(out.resolve(Report.PAGE));
        return CommandLine.ExitCode.OK;
    }

    private Suite suite() {
        Map<String, Suite> suites = Suite.named();
        Suite chosen = suites.get(suite);
        if (chosen == null) {
            throw misuse(
                    "no suite \"" + suite + "\"; give one of " + new TreeSet<>(suites.keySet()));
        }
        return scales.isEmpty() ? chosen : chosen.with(scales.stream().map(this::shape).toList());
    }

    private ClusterShape shape(String scale) {
        try {
            return ClusterShape.parse(scale);
        } catch (IllegalArgumentException e) {
            throw misuse("--scale: " + e.getMessage());
        }
    }

    private List<Proxy> proxies() {
        List<Proxy> proxies = new ArrayList<>(List.of(Proxy.pointsman(root.resolve("pointsman"))));
        kubeProxy.ifPresent(
                program -> {
                    if (!Files.isExecutable(program)) {
                        throw misuse(
                                "--kube-proxy: "
                                        + program
                                        + " is no program; perf/peers/kube-peers build prints the"
                                        + " path of one");
                    }
                    proxies.add(Proxy.kubeProxy(program.toAbsolutePath()));
                });
        return proxies;
    }

    private ParameterException misuse(String line) {
        return new ParameterException(spec.commandLine(), line);
    }
}
