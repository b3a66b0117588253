package dev.pointsman.daemon;

import dev.pointsman.netlink.KernelTest;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` and a start again, under new connections and 10,000 UDP flows that go on: nobody
/// notices.
class RestartTest {
    private static final int KILLS = 2;
    private static final int FLOWS = 10_000;

    @TempDir Path folders;

    @KernelTest(tools = {"nft", "conntrack"})
    void in_mode_nftables() throws Exception {
        ConnectionStream.check(() -> new Restart("nftables", KILLS, FLOWS, folders).play());
    }

    @KernelTest(tools = {"iptables-restore", "ip6tables-restore", "conntrack"})
    void in_mode_iptables() throws Exception {
        ConnectionStream.check(() -> new Restart("iptables", KILLS, FLOWS, folders).play());
    }
}
