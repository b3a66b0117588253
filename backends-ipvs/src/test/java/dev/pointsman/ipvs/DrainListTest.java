package dev.pointsman.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Draining;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.IpvsDestination;
import dev.pointsman.netlink.IpvsListedDestination;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DrainListTest {
    private static final ServerKey IPV4 =
            new ServerKey(IpAddress.parse("10.96.0.1"), Protocol.TCP, 443);
    private static final ServerKey IPV6 =
            new ServerKey(IpAddress.parse("fd00:10:96::1"), Protocol.SCTP, 443);

    private static IpvsListedDestination real(
            String address, int weight, int active, int inactive) {
        return new IpvsListedDestination(
                IpvsDestination.translated(Netlink.address(IpAddress.parse(address)), 6443, weight),
                active,
                inactive,
                0);
    }

    @Test
    void real_servers_without_weight_and_with_connections_drain() {
        assertThat(
                        DrainList.of(
                                IPV4,
                                List.of(
                                        real("10.0.0.9", 0, 2, 1),
                                        real("10.0.0.1", 1, 5, 5),
                                        real("10.0.0.2", 0, 0, 0),
                                        real("10.0.0.3", 0, 0, -1))))
                .containsExactly(
                        new Draining("10.96.0.1:443/tcp", "10.0.0.3:6443", 0, 4294967295L),
                        new Draining("10.96.0.1:443/tcp", "10.0.0.9:6443", 2, 1));
    }

    @Test
    void addresses_of_ipv6_are_bracketed() {
        assertThat(DrainList.of(IPV6, List.of(real("fd00:10:244::2", 0, 1, 0))))
                .containsExactly(
                        new Draining("[fd00:10:96::1]:443/sctp", "[fd00:10:244::2]:6443", 1, 0));
    }
}
