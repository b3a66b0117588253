package dev.pointsman.peers;

import dev.pointsman.daemon.ConnectionStream;
import dev.pointsman.netlink.KernelTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/// From a real kube-proxy to Pointsman and back, under new connections of which none is lost.
@Tag("peers")
class HandOverTest {
    @TempDir Path folder;

    @KernelTest
    void in_mode_nftables() throws Exception {
        thereAndBack(ProxyMode.NFTABLES);
    }

    @KernelTest(tools = {"iptables-restore", "ip6tables-restore"})
    void in_mode_iptables() throws Exception {
        thereAndBack(ProxyMode.IPTABLES);
    }

    private void thereAndBack(ProxyMode mode) throws Exception {
        try (Peers peers = Peers.start(folder, HandOver.SERVICE_RANGES)) {
            HandOver handOver = new HandOver(peers, mode, folder);
            ConnectionStream.check(handOver::thereAndBack);
        }
    }
}
