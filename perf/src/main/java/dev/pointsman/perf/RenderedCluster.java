package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.NftReader;
import java.util.List;
import java.util.ServiceLoader;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A generated cluster at every stage on its way to rules, for benchmarks to begin where they like.
@State(Scope.Benchmark)
public class RenderedCluster {
    private static final int ENDPOINTS = 5;

    @Param({"nftables", "iptables"})
    String mode = "";

    @Param({"100", "1000", "10000", "30000"})
    int services;

    private ClusterShape shape = new ClusterShape(0, 0);
    private List<ServiceState> states = List.of();
    private RuleGraph graph = RuleGraph.nothing(Family.IPV4);
    private String rules = "";

    @Setup
    public void render() {
        shape = new ClusterShape(services, ENDPOINTS);
        states = shape.states();
        Planner planner = planner();
        Delta all = planner.plan(states);
        graph = planner.graph();
        try (Dataplane dataplane = dataplane()) {
            rules = dataplane.render(nothing(), all).text();
        }
    }

    ClusterShape shape() {
        return shape;
    }

    List<ServiceState> states() {
        return states;
    }

    RuleGraph nothing() {
        return planner().graph();
    }

    RuleGraph graph() {
        return graph;
    }

    /// One that has decided nothing yet.
    Planner planner() {
        Settings settings =
                mode.equals("iptables") ? Settings.iptablesDefaults() : Settings.nftablesDefaults();
        return new Planner(
                Family.IPV4,
                shape.node(),
                settings.withDetectLocal(
                                new Settings.DetectLocal.ClusterRanges(List.of(shape.podRange())))
                        .withServiceRanges(List.of(shape.serviceRange())));
    }

    /// That of the mode; it touches the kernel only when it commits.
    Dataplane dataplane() {
        return ServiceLoader.load(Mode.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(mode))
                .findFirst()
                .orElseThrow()
                .dataplane(Family.IPV4);
    }

    /// The rules as a dump of the kernel has them, read.
    Ruleset read() {
        return mode.equals("nftables")
                ? NftReader.read(rules)
                : IptablesSaveReader.read(rules, Family.IPV4);
    }
}
