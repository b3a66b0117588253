package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.iptables.IptablesMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// What it costs to load a cluster through `iptables-restore` and to change one endpoint, in both
/// variants, in a warm JVM and in the network namespace of the caller; beside what the program
/// alone takes for changes of the same kind.
final class IptablesCost {
    private static final int ENDPOINTS = 5;
    private static final int LOADS = 3;
    private static final int CHANGES = 40;
    private static final List<Integer> SCALES = List.of(1_000, 5_000, 10_000);

    private final ClusterShape shape;
    private final IptablesMode.Choice choice;
    private final Dataplane dataplane;
    private final Wire wire;

    private IptablesCost(ClusterShape shape, IptablesMode.Choice choice, Dataplane dataplane) {
        this.shape = shape;
        this.choice = choice;
        this.dataplane = dataplane;
        wire = new RestoreWire(choice);
    }

    public static void main(String[] arguments) {
        List<Integer> scales = Scales.of(arguments, SCALES);
        System.out.println(
                ENDPOINTS
                        + " endpoints a Service, one family, ms; loads: median of "
                        + LOADS
                        + " after one to warm up; changes: "
                        + CHANGES
                        + " swaps of one endpoint, and as many with the program alone");
        System.out.printf(
                "%8s %10s %10s %10s %10s %10s | %10s %10s %12s %10s%n",
                "variant",
                "Services",
                "load",
                "of it plan",
                "render",
                "commit",
                "change p50",
                "p90",
                "program p50",
                "p90");
        for (int services : scales) {
            for (IptablesMode.Choice choice :
                    List.of(IptablesMode.Choice.NFT, IptablesMode.Choice.LEGACY)) {
                try (Dataplane dataplane = new IptablesMode(choice).dataplane(Family.IPV4)) {
                    new IptablesCost(new ClusterShape(services, ENDPOINTS), choice, dataplane)
                            .measure();
                }
            }
        }
    }

    private void measure() {
        List<Load> loads = new ArrayList<>();
        for (int run = 0; run <= LOADS; run++) {
            Planner planner = planner();
            Load load = Load.of(planner, shape.states(), dataplane);
            if (run > 0) {
                loads.add(load);
            }
            Load.clear(dataplane, planner.graph());
        }
        Collections.sort(loads);
        Load load = loads.get(LOADS / 2);
        Histogram whole = new Histogram(3);
        Histogram program = new Histogram(3);
        changes(whole, program);
        System.out.printf(
                Locale.ROOT,
                "%8s %10d %10.0f %10.0f %10.0f %10.0f | %10.1f %10.1f %12.1f %10.1f%n",
                variant(),
                shape.services(),
                load.total() / 1e6,
                load.plan() / 1e6,
                load.render() / 1e6,
                load.commit() / 1e6,
                whole.getValueAtPercentile(50) / 1e6,
                whole.getValueAtPercentile(90) / 1e6,
                program.getValueAtPercentile(50) / 1e6,
                program.getValueAtPercentile(90) / 1e6);
    }

    private Planner planner() {
        return new Planner(
                Family.IPV4,
                shape.node(),
                Settings.iptablesDefaults()
                        .withDetectLocal(
                                new Settings.DetectLocal.ClusterRanges(List.of(shape.podRange()))));
    }

    /// Every other change is written by the program alone, so that a slow moment of the machine
    /// meets both.
    private void changes(Histogram whole, Histogram program) {
        Planner planner = planner();
        Load.of(planner, shape.states(), dataplane);
        Swaps swaps = new Swaps(shape);
        for (int change = 0; change < 2 * CHANGES; change++) {
            ServiceState state = swaps.next();
            RuleGraph before = planner.graph();
            long begun = System.nanoTime();
            Transaction transaction = dataplane.render(before, planner.plan(List.of(state)));
            if (change % 2 == 0) {
                Load.apply(dataplane, transaction);
                whole.recordValue(System.nanoTime() - begun);
            } else {
                Runnable restoring = wire.encode(transaction);
                long started = System.nanoTime();
                restoring.run();
                program.recordValue(System.nanoTime() - started);
            }
        }
        Load.clear(dataplane, planner.graph());
    }

    private String variant() {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
