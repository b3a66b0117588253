package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.nftables.NftablesMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// What it costs to load a cluster into nftables and to change one endpoint, in a warm JVM and in
/// the network namespace of the caller, beside what the kernel takes for the same batches.
///
/// The two kinds of run are interleaved, so that a slow moment of the machine meets both.
final class ProgrammingCost {
    private static final List<String> USUAL = List.of("1000x5", "10000x5", "30000x5", "5000x50");
    private static final int WARM_UP_LOADS = 3;
    private static final int LOADS = 5;
    private static final int WARM_UP_CHANGES = 2_000;
    private static final int CHANGES = 4_000;
    private static final Settings SETTINGS = Settings.nftablesDefaults();

    private final ClusterShape shape;
    private final List<ServiceState> states;
    private final Dataplane dataplane;
    private final Wire wire;

    private ProgrammingCost(ClusterShape shape, Dataplane dataplane, Wire wire) {
        this.shape = shape;
        states = shape.states();
        this.dataplane = dataplane;
        this.wire = wire;
    }

    public static void main(String[] arguments) {
        List<String> shapes = arguments.length == 0 ? USUAL : Arrays.stream(arguments).toList();
        System.out.println(
                "nftables, one family; ms for loads (median of "
                        + LOADS
                        + "), µs for single changes ("
                        + CHANGES
                        + " swaps)");
        System.out.printf(
                "%10s %10s %10s %10s %10s %12s | %10s %10s %10s %10s %12s %10s%n",
                "cluster",
                "load",
                "of it plan",
                "render",
                "commit",
                "kernel only",
                "change p50",
                "p99",
                "p99.9",
                "max",
                "kernel p50",
                "p99");
        for (String each : shapes) {
            try (Dataplane dataplane = new NftablesMode().dataplane(Family.IPV4);
                    Wire wire = NetlinkWire.open()) {
                new ProgrammingCost(ClusterShape.parse(each), dataplane, wire).measure();
            }
        }
    }

    private void measure() {
        List<Load> loads = new ArrayList<>();
        List<Long> kernelLoads = new ArrayList<>();
        for (int run = 0; run < WARM_UP_LOADS + LOADS; run++) {
            Planner planner = planner();
            Load load = Load.of(planner, states, dataplane);
            Load.clear(dataplane, planner.graph());
            long kernel = kernelLoad();
            if (run >= WARM_UP_LOADS) {
                loads.add(load);
                kernelLoads.add(kernel);
            }
        }
        Collections.sort(loads);
        Collections.sort(kernelLoads);
        Load load = loads.get(LOADS / 2);
        Histogram whole = new Histogram(3);
        Histogram kernel = new Histogram(3);
        changes(whole, kernel);
        System.out.printf(
                Locale.ROOT,
                "%10s %10.1f %10.1f %10.1f %10.1f %12.1f | %10.1f %10.1f %10.1f %10.1f %12.1f %10.1f%n",
                shape.services() + "x" + shape.endpoints(),
                load.total() / 1e6,
                load.plan() / 1e6,
                load.render() / 1e6,
                load.commit() / 1e6,
                kernelLoads.get(LOADS / 2) / 1e6,
                whole.getValueAtPercentile(50) / 1e3,
                whole.getValueAtPercentile(99) / 1e3,
                whole.getValueAtPercentile(99.9) / 1e3,
                whole.getMaxValue() / 1e3,
                kernel.getValueAtPercentile(50) / 1e3,
                kernel.getValueAtPercentile(99) / 1e3);
    }

    private Planner planner() {
        return new Planner(Family.IPV4, shape.node(), SETTINGS);
    }

    /// The same batches, encoded beforehand.
    private long kernelLoad() {
        Planner planner = planner();
        RuleGraph before = planner.graph();
        long taken = timed(wire.encode(dataplane.render(before, planner.plan(states))));
        Load.clear(dataplane, planner.graph());
        return taken;
    }

    /// One endpoint of one Service is replaced, again and again; every other time only the kernel's
    /// part is timed.
    private void changes(Histogram whole, Histogram kernel) {
        Planner planner = planner();
        RuleGraph empty = planner.graph();
        Load.apply(dataplane, dataplane.render(empty, planner.plan(states)));
        Swaps swaps = new Swaps(shape);
        for (int change = 0; change < WARM_UP_CHANGES + 2 * CHANGES; change++) {
            ServiceState state = swaps.next();
            RuleGraph before = planner.graph();
            boolean timed = change >= WARM_UP_CHANGES;
            if (change % 2 == 0) {
                long begun = System.nanoTime();
                Load.apply(dataplane, dataplane.render(before, planner.plan(List.of(state))));
                long taken = System.nanoTime() - begun;
                if (timed) {
                    whole.recordValue(taken);
                }
            } else {
                long taken =
                        timed(wire.encode(dataplane.render(before, planner.plan(List.of(state)))));
                if (timed) {
                    kernel.recordValue(taken);
                }
            }
        }
        Load.clear(dataplane, planner.graph());
    }

    private static long timed(Runnable work) {
        long begun = System.nanoTime();
        work.run();
        return System.nanoTime() - begun;
    }
}
