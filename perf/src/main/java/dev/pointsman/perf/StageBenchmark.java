package dev.pointsman.perf;

import dev.pointsman.dataplane.Dataplane;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Delta;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.kube.Snapshot;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.nftables.NftablesTransaction;
import dev.pointsman.packet.Flow;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Paths;
import dev.pointsman.packet.verify.AssumedNode;
import dev.pointsman.packet.verify.Tracer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The pure stages from objects to what the kernel is sent, each by itself, for a whole cluster and
/// for a single change; and the way of one packet through the rules. [VerifyBenchmark] has the last
/// stage.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class StageBenchmark {
    private static final IpAddress CLIENT = IpAddress.parse("10.128.0.200");
    private static final int PORT = 80;

    // As `kubectl get -o json` prints it.
    private byte[] snapshot = {};
    private Optional<Prepared> prepared = Optional.empty();

    /// What each stage begins with.
    ///
    /// @param all from nothing to the whole cluster
    /// @param follower a planner that has decided the cluster and goes on with it
    private record Prepared(
            Planner follower,
            Swaps swaps,
            Delta all,
            RuleGraph changed,
            Dataplane dataplane,
            Transaction whole,
            Tracer tracer,
            Flow flow) {
        static Prepared of(RenderedCluster cluster) {
            Planner changing = cluster.planner();
            changing.plan(cluster.states());
            changing.plan(List.of(new Swaps(cluster.shape()).next()));
            Planner follower = cluster.planner();
            Delta all = follower.plan(cluster.states());
            Dataplane dataplane = cluster.dataplane();
            Flow flow =
                    new Flow(
                            Flow.Origin.POD,
                            Protocol.TCP,
                            CLIENT,
                            cluster.shape().clusterIp(cluster.shape().services() - 1),
                            PORT);
            return new Prepared(
                    follower,
                    new Swaps(cluster.shape()),
                    all,
                    changing.graph(),
                    dataplane,
                    dataplane.render(cluster.nothing(), all),
                    new Tracer(
                            AssumedNode.of(cluster.graph(), cluster.shape().node()).sending(flow),
                            cluster.read()),
                    flow);
        }
    }

    @Setup
    public void prepare(RenderedCluster cluster) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        GenerateCluster.write(cluster.shape(), text);
        snapshot = text.toByteArray();
        prepared = Optional.of(Prepared.of(cluster));
    }

    @TearDown
    public void close() {
        now().dataplane().close();
    }

    private Prepared now() {
        return prepared.orElseThrow();
    }

    /// From JSON to events.
    @Benchmark
    public Snapshot decode() {
        return SnapshotReader.read(
                List.of(SnapshotReader.STDIN), new ByteArrayInputStream(snapshot));
    }

    /// From decoded objects to the whole graph.
    @Benchmark
    public Delta decide(RenderedCluster cluster) {
        return cluster.planner().plan(cluster.states());
    }

    /// One endpoint of one Service is replaced: to what changes in the graph.
    @Benchmark
    public Delta decideChange() {
        return now().follower().plan(List.of(now().swaps().next()));
    }

    /// Two graphs that differ by one endpoint.
    @Benchmark
    public Delta diff(RenderedCluster cluster) {
        return Delta.between(cluster.graph(), now().changed());
    }

    /// From nothing to the whole graph, as operations.
    @Benchmark
    public Transaction render(RenderedCluster cluster) {
        return now().dataplane().render(cluster.nothing(), now().all());
    }

    /// From operations to bytes: netlink messages, or what `iptables-restore` reads.
    @Benchmark
    public Object encode() {
        return switch (now().whole()) {
            case NftablesTransaction batches -> batches.encoded();
            case Transaction text -> text.text();
        };
    }

    /// All ways of a new connection to the Service listed last.
    @Benchmark
    public Paths trace() {
        return now().tracer().follow(now().flow(), Memory.blank());
    }
}
