package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Messages byte by byte, from `linux/netfilter/ipset/ip_set.h`; the machine is little-endian.
final class IpsetMessageTest {
    private static final IpsetMember.AddressPort FOUR =
            new IpsetMember.AddressPort(InetAddress.ofLiteral("10.96.0.1"), 6, 443);
    private static final IpsetMember.AddressPort SIX =
            new IpsetMember.AddressPort(InetAddress.ofLiteral("fd00::1"), 132, 9);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    private static void check(Consumer<IpsetEncoder> write, String hex) {
        var out = new MessageWriter();
        write.accept(new IpsetEncoder(out));
        assertThat(Hex.of(out.copyFrom(0))).isEqualTo(Hex.of(bytes(hex)));
    }

    @Test
    void a_set_is_described_by_type_revision_family_and_size() {
        check(
                encoder ->
                        encoder.definition(
                                IpsetDefinition.Hash.of(
                                        "any", IpsetType.HASH_IP_PORT, IpFamily.IPV6),
                                5),
                """
                1100 0300 686173683a69702c706f727400 000000
                0500 0400 05 000000
                0500 0500 0a 000000
                1400 0780
                0800 1240 00000400
                0800 1340 00010000
                """);
    }

    @Test
    void a_bitmap_is_described_by_its_range() {
        check(
                encoder -> encoder.definition(IpsetDefinition.Ports.of("any"), 3),
                """
                1000 0300 6269746d61703a706f727400
                0500 0400 03 000000
                0500 0500 00 000000
                1400 0780
                0600 0440 0000 0000
                0600 0540 ffff 0000
                """);
    }

    @Test
    void a_member_of_many_has_a_line_to_be_named_by() {
        check(
                encoder -> encoder.member(FOUR, 2),
                """
                2800 0780
                0c00 0180 0800 0140 0a600001
                0600 0440 01bb 0000
                0500 0700 06 000000
                0800 0900 02000000
                """);
    }

    private static final String SIX_AND_NETWORK =
            """
            4c00 0780
            1800 0180 1400 0240 fd000000 00000000 00000000 00000001
            0600 0440 0009 0000
            0500 0700 84 000000
            1800 1480 1400 0240 fd000000 00000000 00000000 00000000
            0500 1500 40 000000
            """;

    @Test
    void an_ipv6_member_has_a_network() {
        check(
                encoder ->
                        encoder.member(
                                new IpsetMember.AddressPortNetwork(
                                        SIX, InetAddress.ofLiteral("fd00::77"), 64),
                                0),
                SIX_AND_NETWORK);
    }

    private static Message message(String hex) {
        byte[] attributes = bytes(hex);
        byte[] whole = new byte[20 + attributes.length];
        MessageWriter.NATIVE_INT.set(whole, 0, whole.length);
        System.arraycopy(attributes, 0, whole, 20, attributes.length);
        return Message.split(whole).getFirst();
    }

    private static final String HEADER =
            """
            0600 0200 5300 0000
            1500 0300 686173683a69702c706f72742c6e657400 000000
            0500 0400 07 000000
            0500 0500 0a 000000
            """;

    private static final String OPTIONS =
            """
            0800 1240 00000040
            0800 1340 00000007
            0800 1940 00000002
            0800 1a40 000001f4
            0800 1840 00000001
            """;

    @Test
    void a_listed_set_is_read_from_its_header_and_what_follows() {
        var decoder = new IpsetDecoder();
        decoder.take(message(HEADER + "2c00 0780" + OPTIONS));
        decoder.take(message("0600 0200 5300 0000 5000 0880" + SIX_AND_NETWORK));
        decoder.take(message("0600 0200 5300 0000 5000 0880" + SIX_AND_NETWORK));
        assertThat(decoder.all())
                .containsExactly(
                        new Ipset(
                                new IpsetHeader.Known(
                                        new IpsetDefinition.Hash(
                                                "S",
                                                IpsetType.HASH_IP_PORT_NET,
                                                IpFamily.IPV6,
                                                64,
                                                7),
                                        7,
                                        2,
                                        1),
                                List.of(
                                        new IpsetMember.AddressPortNetwork(
                                                SIX, InetAddress.ofLiteral("fd00::"), 64))));
    }

    @Test
    void a_set_with_timeouts_is_foreign() {
        var decoder = new IpsetDecoder();
        decoder.take(message(HEADER + "3400 0780" + OPTIONS + "0800 0640 0000003c"));
        assertThat(decoder.headers())
                .containsExactly(new IpsetHeader.Foreign("S", "hash:ip,port,net", 7, 2, 1));
    }

    @Test
    void members_without_a_header_are_malformed() {
        assertThatThrownBy(() -> new IpsetDecoder().take(message("0600 0200 5300 0000")))
                .isInstanceOf(NetlinkException.class)
                .hasMessageContaining("malformed");
    }

    @Test
    void an_entry_that_lacks_its_network_is_malformed() {
        byte[] entry =
                bytes("0c00 0180 0800 0140 0a600001 0600 0440 01bb 0000 0500 0700 06 000000");
        assertThatThrownBy(
                        () ->
                                IpsetDecoder.member(
                                        new Attributes(entry, 0, entry.length),
                                        IpsetType.HASH_IP_PORT_NET))
                .isInstanceOf(NetlinkException.class)
                .hasMessageContaining("malformed");
    }

    @Test
    void the_newest_revision_that_both_know_is_chosen() {
        Message supported = message("0500 0400 06 000000 0500 0a00 02 000000");
        assertThat(IpsetSocket.revision(supported, 4)).isEqualTo(4);
        assertThat(IpsetSocket.revision(supported, 9)).isEqualTo(6);
        assertThat(IpsetSocket.revision(supported, 1)).isEqualTo(2);
    }

    @Test
    void a_network_has_no_bits_after_its_prefix() {
        assertThat(
                        new IpsetMember.AddressPortNetwork(
                                        FOUR, InetAddress.ofLiteral("10.255.255.255"), 9)
                                .text())
                .isEqualTo("10.96.0.1,tcp:443,10.128.0.0/9");
        assertThatThrownBy(
                        () ->
                                new IpsetMember.AddressPortNetwork(
                                        FOUR, InetAddress.ofLiteral("0.0.0.0"), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
