package dev.pointsman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The JDK's own parser is the second source.
final class AddressLaws {

    @Provide
    Arbitrary<IpAddress> addresses() {
        return Arbitraries.oneOf(ipv4(), ipv6());
    }

    @Provide
    Arbitrary<IpAddress> ipv4() {
        return Arbitraries.integers().map(IpAddress.Ipv4::new);
    }

    /// Zero groups are common, as they are what the short form is about.
    @Provide
    Arbitrary<IpAddress> ipv6() {
        return Arbitraries.oneOf(Arbitraries.just(0), Arbitraries.integers().between(0, 0xffff))
                .list()
                .ofSize(8)
                .map(
                        groups -> {
                            byte[] bytes = new byte[16];
                            for (int i = 0; i < 8; i++) {
                                bytes[2 * i] = (byte) (groups.get(i) >> 8);
                                bytes[2 * i + 1] = groups.get(i).byteValue();
                            }
                            return IpAddress.of(bytes);
                        });
    }

    // Few bits differ, so that ranges nest and touch.
    @Provide
    Arbitrary<Cidr> ranges() {
        Arbitrary<Cidr> ipv4 =
                Combinators.combine(
                                Arbitraries.integers().between(0, 63),
                                Arbitraries.integers().between(25, 32))
                        .as((last, length) -> Cidr.parse("203.0.113." + last + "/" + length));
        Arbitrary<Cidr> ipv6 =
                Combinators.combine(
                                Arbitraries.integers().between(0, 63),
                                Arbitraries.integers().between(58, 64))
                        .as(
                                (last, length) ->
                                        Cidr.parse(
                                                "2001:db8:0:"
                                                        + Integer.toHexString(last)
                                                        + "::/"
                                                        + length));
        return Arbitraries.oneOf(ipv4, ipv6);
    }

    @Property
    void an_address_reads_back_from_its_text(@ForAll("addresses") IpAddress address) {
        assertThat(IpAddress.of(address.bytes())).isEqualTo(address);
        if (!isMapped(address)) {
            assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
        }
    }

    @Property
    void the_jdk_reads_the_text_as_the_same_address(@ForAll("addresses") IpAddress address)
            throws UnknownHostException {
        InetAddress read = InetAddress.ofLiteral(address.toString());
        assertThat(read).isEqualTo(InetAddress.getByAddress(address.bytes()));
    }

    @Property
    void the_jdks_text_reads_as_the_same_address(@ForAll("addresses") IpAddress address)
            throws UnknownHostException {
        InetAddress jdk = InetAddress.getByAddress(address.bytes());
        assertThat(IpAddress.parse(jdk.getHostAddress())).isEqualTo(IpAddress.of(jdk));
    }

    @Property
    void addresses_sort_as_their_bytes_within_a_family(
            @ForAll("addresses") IpAddress a, @ForAll("addresses") IpAddress b) {
        int expected =
                a.family() == b.family()
                        ? Arrays.compareUnsigned(a.bytes(), b.bytes())
                        : a.family().compareTo(b.family());
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(Integer.signum(expected));
    }

    @Property
    void a_range_holds_the_addresses_with_its_prefix(
            @ForAll("addresses") IpAddress base,
            @ForAll("addresses") IpAddress other,
            @ForAll int bits) {
        int length = Math.floorMod(bits, base.family().bits() + 1);
        Cidr range = new Cidr(base, length);
        assertThat(range.contains(base)).isTrue();
        assertThat(range.contains(range.base())).isTrue();
        assertThat(range.contains(range.last())).isTrue();
        assertThat(range.contains(other)).isEqualTo(samePrefix(base, other, length));
        if (!isMapped(range.base())) {
            assertThat(Cidr.parse(range.toString())).isEqualTo(range);
        }
        if (length < base.family().bits()) {
            assertThat(samePrefix(range.base(), range.last(), length + 1)).isFalse();
        }
    }

    @Property
    void a_union_holds_what_its_ranges_hold_and_does_not_overlap(
            @ForAll("rangeLists") List<Cidr> ranges, @ForAll("ranges") Cidr probe) {
        SortedSet<Cidr> union = Cidr.union(ranges);
        for (IpAddress address : List.of(probe.base(), probe.last())) {
            assertThat(union.stream().anyMatch(r -> r.contains(address)))
                    .isEqualTo(ranges.stream().anyMatch(r -> r.contains(address)));
        }
        for (Cidr a : union) {
            assertThat(union.stream().filter(a::contains)).containsExactly(a);
        }
        assertThat(Cidr.union(union)).isEqualTo(union);
        assertThat(Cidr.union(new TreeSet<>(ranges).descendingSet())).isEqualTo(union);
    }

    @Provide
    Arbitrary<List<Cidr>> rangeLists() {
        return ranges().list().ofMaxSize(8);
    }

    @ParameterizedTest
    @CsvSource({
        "10.010.001.1, 10.10.1.1",
        "::ffff:1.2.3.4, 1.2.3.4",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "::, ::",
        "1::, 1::",
        "fe80::1:2:3:4, fe80::1:2:3:4",
    })
    void text_is_canonical(String written, String canonical) {
        assertThat(IpAddress.parse(written)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1..2.3",
                ".1.2.3",
                "1.2.3.",
                "1.2.3.4 ",
                "a.b.c.d",
                "-1.2.3.4",
                "localhost",
                "fe80::1%eth0",
                "1::2::3",
                "[::1]",
                ":::",
                "12345::"
            })
    void text_that_is_no_address_is_quoted(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\" is no IP address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.2.3.4", "1.2.3.4/33", "1.2.3.4/-1", "::/129", "1.2.3.4/", "/8", "a/8"})
    void text_that_is_no_range_is_quoted(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }

    @Test
    void host_bits_of_a_range_are_cleared() {
        assertThat(Cidr.parse("203.0.113.46/24")).hasToString("203.0.113.0/24");
        assertThat(Cidr.parse("2001:db8::46/64")).hasToString("2001:db8::/64");
    }

    private static boolean samePrefix(IpAddress a, IpAddress b, int length) {
        if (a.family() != b.family()) {
            return false;
        }
        for (int bit = 0; bit < length; bit++) {
            if (bit(a, bit) != bit(b, bit)) {
                return false;
            }
        }
        return true;
    }

    private static int bit(IpAddress address, int index) {
        return address.bytes()[index / 8] >> 7 - index % 8 & 1;
    }

    private static boolean isMapped(IpAddress address) {
        return address instanceof IpAddress.Ipv6(long high, long low)
                && high == 0
                && low >>> 32 == 0xffff;
    }
}
