package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Messages byte by byte, from `linux/ip_vs.h`; the machine is little-endian.
final class IpvsMessageTest {
    private static final IpvsService.Key WEB =
            new IpvsService.Key.Endpoint(6, InetAddress.ofLiteral("10.96.0.1"), 443);
    private static final IpvsService.Key DNS =
            new IpvsService.Key.Endpoint(17, InetAddress.ofLiteral("fd00::a"), 53);

    private static final String WEB_KEY =
            """
            0600 0100 0200 0000
            0600 0200 0600 0000
            1400 0300 0a600001 00000000 00000000 00000000
            0600 0400 01bb 0000
            """;
    private static final String DNS_KEY =
            """
            0600 0100 0a00 0000
            0600 0200 1100 0000
            1400 0300 fd000000 00000000 00000000 0000000a
            0600 0400 0035 0000
            """;

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    private static void check(IpvsCommand command, String hex) {
        var out = new MessageWriter();
        new IpvsEncoder(0x1f).command(out, 7, command);
        assertThat(Hex.of(out.copyFrom(0))).isEqualTo(Hex.of(bytes(hex)));
    }

    @Test
    void a_persistent_ipv4_service_with_a_flag_of_its_scheduler_is_added() {
        check(
                new IpvsCommand.AddService(
                        new IpvsService(WEB, "mh", IpvsService.SCHEDULER_2, 10800, 0xffffff00)),
                """
                68000000 1f00 0100 07000000 00000000  01 01 0000
                5400 0180
                """
                        + WEB_KEY
                        + """
                        0700 0600 6d6800 00
                        0c00 0700 10000000 ffffffff
                        0800 0800 302a0000
                        0800 0900 ffffff00
                        """);
    }

    @Test
    void the_netmask_of_an_ipv6_service_is_the_length_of_a_prefix() {
        check(
                new IpvsCommand.EditService(IpvsService.of(DNS, "wrr", 0)),
                """
                68000000 1f00 0100 07000000 00000000  02 01 0000
                5400 0180
                """
                        + DNS_KEY
                        + """
                        0800 0600 77727200
                        0c00 0700 00000000 ffffffff
                        0800 0800 00000000
                        0800 0900 80000000
                        """);
    }

    @Test
    void a_service_of_marked_packets_is_deleted() {
        check(
                new IpvsCommand.DeleteService(new IpvsService.Key.Mark(0x4000, IpFamily.IPV6)),
                """
                28000000 1f00 0100 07000000 00000000  03 01 0000
                1400 0180
                0600 0100 0a00 0000
                0800 0500 00400000
                """);
    }

    @Test
    void a_destination_gets_weight_zero() {
        check(
                new IpvsCommand.EditDestination(
                        DNS, IpvsDestination.translated(InetAddress.ofLiteral("fd00::1"), 5353, 0)),
                """
                8c000000 1f00 0100 07000000 00000000  06 01 0000
                3000 0180
                """
                        + DNS_KEY
                        + """
                        4800 0280
                        1400 0100 fd000000 00000000 00000000 00000001
                        0600 0200 14e9 0000
                        0600 0b00 0a00 0000
                        0800 0300 00000000
                        0800 0400 00000000
                        0800 0500 00000000
                        0800 0600 00000000
                        """);
    }

    @Test
    void a_destination_is_deleted_by_address_and_port() {
        check(
                new IpvsCommand.DeleteDestination(
                        WEB, new IpvsDestination.Key(InetAddress.ofLiteral("10.0.0.1"), 80)),
                """
                6c000000 1f00 0100 07000000 00000000  07 01 0000
                3000 0180
                """
                        + WEB_KEY
                        + """
                        2800 0280
                        1400 0100 0a000001 00000000 00000000 00000000
                        0600 0200 0050 0000
                        0600 0b00 0200 0000
                        """);
    }

    private static final byte[] LISTED_SERVICE =
            bytes(
                    "6000 0180"
                            + WEB_KEY
                            + """
                            0700 0600 727200 00
                            0c00 0700 03000000 ffffffff
                            0800 0800 3c000000
                            0800 0900 ffffffff
                            0c00 0a80 0800 0100 05000000
                            """);

    private static final byte[] LISTED_DESTINATION =
            bytes(
                    """
                    6000 0280
                    1400 0100 0a000001 00000000 00000000 00000000
                    0600 0200 0050 0000
                    0800 0300 00000000
                    0800 0400 07000000
                    0800 0500 09000000
                    0800 0600 08000000
                    0800 0700 01000000
                    0800 0800 02000000
                    0800 0900 03000000
                    0600 0b00 0200 0000
                    """);

    @Test
    void a_listed_service_is_read_without_the_flag_that_the_kernel_sets() {
        assertThat(IpvsDecoder.service(new Attributes(LISTED_SERVICE, 0, LISTED_SERVICE.length)))
                .contains(IpvsService.persistent(WEB, "rr", 0, 60));
    }

    @Test
    void a_listed_destination_is_read_with_its_connections() {
        assertThat(
                        IpvsDecoder.destination(
                                new Attributes(LISTED_DESTINATION, 0, LISTED_DESTINATION.length),
                                IpFamily.IPV4))
                .contains(
                        new IpvsListedDestination(
                                new IpvsDestination(
                                        new IpvsDestination.Key(
                                                InetAddress.ofLiteral("10.0.0.1"), 80),
                                        7,
                                        IpvsDestination.Forwarding.MASQUERADE,
                                        9,
                                        8),
                                1,
                                2,
                                3));
    }

    @Test
    void an_answer_cut_short_is_malformed() {
        for (int length = 4; length < LISTED_SERVICE.length; length++) {
            var cut = new Attributes(LISTED_SERVICE, 0, length);
            assertThatThrownBy(() -> IpvsDecoder.service(cut))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessageContaining("malformed");
        }
    }

    @Test
    void an_address_cut_short_is_malformed() {
        byte[] service =
                bytes(
                        """
                        2400 0180
                        0600 0100 0a00 0000
                        0600 0200 0600 0000
                        0800 0300 0a600001
                        0600 0400 01bb 0000
                        """);
        assertThatThrownBy(() -> IpvsDecoder.service(new Attributes(service, 0, service.length)))
                .isInstanceOf(NetlinkException.class)
                .hasMessage("malformed netlink message: an address of IPV6 in 4 bytes");
    }

    @Test
    void mapped_addresses_stay_ipv6() {
        byte[] mapped = bytes("00000000 00000000 0000ffff 0a600001");
        assertThat(IpFamily.of(IpFamily.IPV6.address(mapped))).isEqualTo(IpFamily.IPV6);
    }

    @Test
    void what_the_kernel_could_not_hold_makes_no_service() {
        assertThatThrownBy(() -> IpvsService.of(WEB, "x".repeat(16), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 15");
        assertThatThrownBy(() -> IpvsService.of(WEB, "", 0))
                .isInstanceOf(IllegalArgumentException.class);
        InetAddress address = InetAddress.ofLiteral("10.0.0.1");
        assertThatThrownBy(() -> new IpvsService.Key.Endpoint(6, address, 65536))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IpvsDestination.translated(address, 80, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
