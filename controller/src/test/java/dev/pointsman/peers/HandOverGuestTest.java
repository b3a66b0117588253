package dev.pointsman.peers;

import dev.pointsman.daemon.ConnectionStream;
import dev.pointsman.guest.GuestTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/// As [HandOverTest], for the mode that few kernels of build machines can run.
@Tag("peers")
@GuestTest(minutes = 15)
@EnabledIfEnvironmentVariable(
        named = KubeProxy.PROGRAM,
        matches = ".+",
        disabledReason = "build kube-proxy with perf/peers/kube-peers build")
final class HandOverGuestTest {
    @TempDir Path folder;

    @Test
    void in_mode_ipvs() throws Exception {
        HandOver handOver = new HandOver(GuestPeers.PEERS, ProxyMode.IPVS, folder);
        ConnectionStream.check(handOver::thereAndBack);
    }
}
