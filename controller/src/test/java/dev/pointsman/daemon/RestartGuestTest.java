package dev.pointsman.daemon;

import dev.pointsman.guest.GuestTest;
import dev.pointsman.netlink.KernelTest;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// As [RestartTest], for the mode that few kernels of build machines can run, and with fewer flows
/// and one kill: in an emulated machine all takes ten times as long.
@GuestTest(minutes = 10)
final class RestartGuestTest {
    private static final int FLOWS = 300;

    @TempDir Path folders;

    @KernelTest(tools = {"iptables-restore", "ip6tables-restore", "conntrack"})
    void in_mode_ipvs() throws Exception {
        ConnectionStream.check(() -> new Restart("ipvs", 1, FLOWS, folders).play());
    }
}
