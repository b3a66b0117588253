package dev.pointsman.perf;

import dev.pointsman.packet.verify.Proof;
import dev.pointsman.packet.verify.Verifier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/// What it takes to read a rendered ruleset and to hold it against the cluster, for every class of
/// flows: once in a JVM that has just started, as a command does it, and in one that is warm.
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class VerifyBenchmark {
    @Benchmark
    @Fork(value = 5, jvmArgsAppend = "-Xmx512m")
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    public Proof cold(RenderedCluster cluster) {
        return verify(cluster);
    }

    @Benchmark
    @Fork(value = 1, jvmArgsAppend = "-Xmx512m")
    @Warmup(iterations = 5)
    @Measurement(iterations = 5)
    public Proof warm(RenderedCluster cluster) {
        return verify(cluster);
    }

    private static Proof verify(RenderedCluster cluster) {
        Proof proof =
                new Verifier(cluster.graph(), cluster.shape().node(), cluster.read())
                        .verify(_ -> {});
        if (!proof.disagreements().isEmpty() || !proof.doubts().isEmpty()) {
            throw new IllegalStateException(
                    "what was rendered is not proved: " + proof.disagreements() + proof.doubts());
        }
        return proof;
    }
}
