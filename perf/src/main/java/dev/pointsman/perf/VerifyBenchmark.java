package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Mode;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Settings;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What it takes to read a rendered ruleset and to hold it against the cluster, for every class of
/// flows: once in a JVM that has just started, as a command does it, and in one that is warm.
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class VerifyBenchmark {
    private static final int ENDPOINTS = 5;

    @Param({"nftables", "iptables"})
    String mode = "";

    @Param({"1000", "10000"})
    int services;

    private ClusterShape shape = new ClusterShape(0, 0);
    private RuleGraph graph = RuleGraph.nothing(Family.IPV4);
    private String rules = "";

    @Setup
    public void render() {
        shape = new ClusterShape(services, ENDPOINTS);
        Mode chosen =
                ServiceLoader.load(Mode.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(each -> each.name().equals(mode))
                        .findFirst()
                        .orElseThrow();
        Settings settings =
                (mode.equals("iptables")
                                ? Settings.iptablesDefaults()
                                : Settings.nftablesDefaults())
                        .withDetectLocal(
                                new Settings.DetectLocal.ClusterRanges(List.of(shape.podRange())))
                        .withServiceRanges(List.of(shape.serviceRange()));
        Planner planner = new Planner(Family.IPV4, shape.node(), settings);
        RuleGraph nothing = planner.graph();
        Delta all = planner.plan(shape.states());
        graph = planner.graph();
        try (Dataplane dataplane = chosen.dataplane(Family.IPV4)) {
            rules = dataplane.render(nothing, all).text();
        }
    }

    @Benchmark
    @Fork(value = 5, jvmArgsAppend = "-Xmx512m")
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    public Proof cold() {
        return verify();
    }

    @Benchmark
    @Fork(value = 1, jvmArgsAppend = "-Xmx512m")
    @Warmup(iterations = 5)
    @Measurement(iterations = 5)
    public Proof warm() {
        return verify();
    }

    private Proof verify() {
        Ruleset read =
                mode.equals("nftables")
                        ? NftReader.read(rules)
                        : IptablesSaveReader.read(rules, Family.IPV4);
        Proof proof = new Verifier(graph, shape.node(), read).verify(_ -> {});
        if (!proof.disagreements().isEmpty() || !proof.doubts().isEmpty()) {
            throw new IllegalStateException(
                    "what was rendered is not proved: " + proof.disagreements() + proof.doubts());
        }
        return proof;
    }
}
