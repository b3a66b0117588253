package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.ipvs.IpvsMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/// What it costs to load a cluster into IPVS and to change one endpoint, sets, addresses and rules
/// included, in a warm JVM and in the network namespace of the caller; beside what `ipvsadm -R`
/// takes for the virtual servers and real servers alone.
final class IpvsCost {
    private static final int ENDPOINTS = 5;
    private static final int LOADS = 3;
    private static final int WARM_UP_CHANGES = 1_000;
    private static final int CHANGES = 400;
    private static final int TRACED_CHANGES = 100;
    private static final List<Integer> SCALES = List.of(1_000, 10_000);

    private final ClusterShape shape;
    private final Dataplane dataplane;
    private final Path lines;

    private IpvsCost(ClusterShape shape, Dataplane dataplane, Path lines) {
        this.shape = shape;
        this.dataplane = dataplane;
        this.lines = lines;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<Integer> scales = Scales.of(arguments, SCALES);
        System.out.println(
                ENDPOINTS
                        + " endpoints a Service, one family; loads: ms, median of "
                        + LOADS
                        + " after one to warm up; changes: µs, "
                        + CHANGES
                        + " swaps of one endpoint, and as many by ipvsadm; calls of send and recv,"
                        + " processes started: by strace, in loads and changes of their own");
        System.out.printf(
                "%8s | %8s %10s %8s %8s %10s %8s %9s | %10s %8s %11s %8s %8s %9s%n",
                "Services",
                "load",
                "of it plan",
                "render",
                "commit",
                "ipvsadm -R",
                "calls",
                "processes",
                "change p50",
                "p99",
                "ipvsadm p50",
                "p99",
                "calls",
                "processes");
        Path lines = Files.createTempFile("ipvsadm", ".rules");
        try {
            // IPVS refuses real servers until the namespace has a table of local routes.
            run(lines, "ip", "link", "set", "lo", "up");
            for (int services : scales) {
                try (Dataplane dataplane = new IpvsMode().dataplane(Family.IPV4)) {
                    new IpvsCost(new ClusterShape(services, ENDPOINTS), dataplane, lines).measure();
                }
            }
        } finally {
            Files.delete(lines);
        }
    }

    private void measure() throws IOException, InterruptedException {
        List<Load> loads = new ArrayList<>();
        List<Long> restores = new ArrayList<>();
        for (int run = 0; run <= LOADS; run++) {
            Planner planner = planner();
            Load load = Load.of(planner, shape.states(), dataplane);
            Load.clear(dataplane, planner.graph());
            long restore = restoredLoad();
            System.err.printf(
                    "load %d: %d ms, ipvsadm -R %d ms%n",
                    run, load.total() / 1_000_000, restore / 1_000_000);
            if (run > 0) {
                loads.add(load);
                restores.add(restore);
            }
        }
        Collections.sort(loads);
        Collections.sort(restores);
        Load load = loads.get(LOADS / 2);
        Planner planner = planner();
        Traced ofLoad = Traced.of(() -> Load.of(planner, shape.states(), dataplane));
        Histogram whole = new Histogram(3);
        Histogram ipvsadm = new Histogram(3);
        Swaps swaps = new Swaps(shape);
        changes(planner, swaps, whole, ipvsadm);
        Traced ofChanges =
                Traced.of(
                        () -> {
                            for (int change = 0; change < TRACED_CHANGES; change++) {
                                Load.apply(dataplane, rendered(planner, swaps.next()));
                            }
                        });
        Load.clear(dataplane, planner.graph());
        System.out.printf(
                Locale.ROOT,
                "%8d | %8.0f %10.0f %8.0f %8.0f %10.0f %8d %9d | %10.0f %8.0f %11.0f %8.0f %8.1f %9.1f%n",
                shape.services(),
                load.total() / 1e6,
                load.plan() / 1e6,
                load.render() / 1e6,
                load.commit() / 1e6,
                restores.get(LOADS / 2) / 1e6,
                ofLoad.calls(),
                ofLoad.processes(),
                whole.getValueAtPercentile(50) / 1e3,
                whole.getValueAtPercentile(99) / 1e3,
                ipvsadm.getValueAtPercentile(50) / 1e3,
                ipvsadm.getValueAtPercentile(99) / 1e3,
                (double) ofChanges.calls() / TRACED_CHANGES,
                (double) ofChanges.processes() / TRACED_CHANGES);
    }

    private Planner planner() {
        return new Planner(
                Family.IPV4,
                shape.node(),
                Settings.ipvsDefaults()
                        .withDetectLocal(
                                new Settings.DetectLocal.ClusterRanges(List.of(shape.podRange()))));
    }

    private Transaction rendered(Planner planner, ServiceState state) {
        RuleGraph before = planner.graph();
        return dataplane.render(before, planner.plan(List.of(state)));
    }

    private long restoredLoad() throws IOException, InterruptedException {
        Planner planner = planner();
        RuleGraph nothing = planner.graph();
        long taken = restore(dataplane.render(nothing, planner.plan(shape.states())));
        ipvsadm("-C");
        return taken;
    }

    /// Every other change is written by ipvsadm alone, so that a slow moment of the machine meets
    /// both.
    private void changes(Planner planner, Swaps swaps, Histogram whole, Histogram ipvsadm)
            throws IOException, InterruptedException {
        for (int change = 0; change < WARM_UP_CHANGES; change++) {
            Load.apply(dataplane, rendered(planner, swaps.next()));
        }
        for (int change = 0; change < CHANGES; change++) {
            ServiceState state = swaps.next();
            long begun = System.nanoTime();
            Load.apply(dataplane, rendered(planner, state));
            whole.recordValue(System.nanoTime() - begun);
            ipvsadm.recordValue(restore(rendered(planner, swaps.next())));
        }
    }

    /// Without draining: ipvsadm would have to be started again to delete what has become idle.
    private long restore(Transaction transaction) throws IOException, InterruptedException {
        String text =
                transaction
                        .text()
                        .lines()
                        .filter(line -> line.matches("-[Aade] -[tu] .*"))
                        .map(line -> line.replaceFirst("^-e(.*) -m -w 0$", "-d$1"))
                        .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(lines, text);
        long begun = System.nanoTime();
        ipvsadm("-R");
        return System.nanoTime() - begun;
    }

    private void ipvsadm(String option) throws IOException, InterruptedException {
        run(lines, "ipvsadm", option);
    }

    private static void run(Path input, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command).inheritIO().redirectInput(input.toFile()).start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + process);
        }
    }
}
