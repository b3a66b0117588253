package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.netlink.ConntrackListing.Extent;
import dev.pointsman.netlink.ConntrackListing.Filter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Messages byte by byte, from `linux/netfilter/nfnetlink_conntrack.h`; the machine is
/// little-endian.
final class ConntrackMessageTest {
    private static final String ORIGINAL =
            """
            3400 0180
              1400 0180 0800 0100 0a010009 0800 0200 0a600035
              1c00 0280 0500 0100 11 000000 0600 0200 9c40 0000 0600 0300 0035 0000
            """;
    private static final String REPLY =
            """
            3400 0280
              1400 0180 0800 0100 0a010002 0800 0200 0a010009
              1c00 0280 0500 0100 11 000000 0600 0200 14e9 0000 0600 0300 9c40 0000
            """;

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    private static void check(MessageWriter out, String hex) {
        assertThat(Hex.of(out.copyFrom(0))).isEqualTo(Hex.of(bytes(hex)));
    }

    @Test
    void a_listing_asks_the_kernel_for_one_family_and_protocol() {
        var out = new MessageWriter();
        ConntrackSocket.listRequest(out, 7, IpFamily.IPV4, Filter.KERNEL);
        check(
                out,
                """
                38000000 0101 0103 07000000 00000000  02 00 0000
                1000 0180 0c00 0280 0500 0100 11 000000
                1400 1980 0800 0100 08000000 0800 0200 00000000
                """);
    }

    @Test
    void a_listing_without_a_filter_has_nothing_but_the_family() {
        var out = new MessageWriter();
        ConntrackSocket.listRequest(out, 7, IpFamily.IPV6, Filter.PROCESS);
        check(out, "14000000 0101 0103 07000000 00000000  0a 00 0000");
    }

    @Test
    void a_deletion_names_the_answer_and_the_id_and_not_the_packet() {
        var out = new MessageWriter();
        ConntrackSocket.deleteRequest(
                out,
                7,
                new ConntrackFlow(
                        InetAddress.ofLiteral("10.1.0.2"),
                        5353,
                        InetAddress.ofLiteral("10.1.0.9"),
                        40000,
                        0x89abcdef));
        check(
                out,
                "50000000 0201 0100 07000000 00000000  02 00 0000" + REPLY + "0800 0c00 89abcdef");
    }

    @Test
    void a_deletion_of_the_other_family_has_its_addresses() {
        var out = new MessageWriter();
        ConntrackSocket.deleteRequest(
                out,
                7,
                new ConntrackFlow(
                        InetAddress.ofLiteral("fd00::2"),
                        5353,
                        InetAddress.ofLiteral("fd00::9"),
                        40000,
                        1));
        check(
                out,
                """
                68000000 0201 0100 07000000 00000000  0a 00 0000
                4c00 0280
                  2c00 0180
                    1400 0300 fd000000 00000000 00000000 00000002
                    1400 0400 fd000000 00000000 00000000 00000009
                  1c00 0280 0500 0100 11 000000 0600 0200 14e9 0000 0600 0300 9c40 0000
                0800 0c00 00000001
                """);
    }

    @Test
    void ends_of_two_families_are_no_flow() {
        assertThatThrownBy(
                        () ->
                                new ConntrackFlow(
                                        InetAddress.ofLiteral("fd00::2"),
                                        1,
                                        InetAddress.ofLiteral("10.1.0.9"),
                                        1,
                                        1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// A message of a listing with `sequence` and netlink flags.
    private static byte[] listed(int sequence, int flags, String attributes) {
        byte[] body = bytes("02 00 0000" + attributes);
        var out = new MessageWriter();
        int start = out.beginMessage(0x100, flags, sequence);
        out.header(body);
        out.endMessage(start);
        return out.copyFrom(0);
    }

    private static byte[] done(int sequence, int errno) {
        var out = new MessageWriter();
        int start = out.beginMessage(Message.DONE, 2, sequence);
        byte[] code = new byte[4];
        MessageWriter.NATIVE_INT.set(code, 0, -errno);
        out.header(code);
        out.endMessage(start);
        return out.copyFrom(0);
    }

    private static ConntrackEntry entry(String attributes) {
        byte[] message = listed(7, 2, attributes);
        var entry = new ConntrackEntry(IpFamily.IPV4);
        entry.read(message, 0, message.length);
        return entry;
    }

    @Test
    void an_entry_tells_what_was_dialled_and_who_answers() {
        ConntrackEntry entry =
                entry(
                        ORIGINAL
                                + REPLY
                                + "0800 0300 00000182 0800 0c00 89abcdef 0800 0700 0000001d");
        assertThat(entry.isUdp() && entry.isOfDefaultZone()).isTrue();
        assertThat(entry.destination()).containsExactly(10, 96, 0, 53);
        assertThat(entry.destinationPort()).isEqualTo(53);
        assertThat(entry.answerer()).containsExactly(10, 1, 0, 2);
        assertThat(entry.answererPort()).isEqualTo(5353);
        assertThat(entry.flow())
                .isEqualTo(
                        new ConntrackFlow(
                                InetAddress.ofLiteral("10.1.0.2"),
                                5353,
                                InetAddress.ofLiteral("10.1.0.9"),
                                40000,
                                0x89abcdef));
    }

    @Test
    void other_protocols_and_zones_are_told_apart() {
        assertThat(entry(ORIGINAL.replace("11 000000", "06 000000") + REPLY).isUdp()).isFalse();
        assertThat(entry(ORIGINAL + REPLY + "0600 1200 0005 0000").isOfDefaultZone()).isFalse();
        assertThat(entry(ORIGINAL + REPLY + "0600 1200 0000 0000").isOfDefaultZone()).isTrue();
        String zoned =
                ORIGINAL.replaceFirst("3400 0180", "3c00 0180") + "0600 0300 0005 0000" + REPLY;
        assertThat(entry(zoned).isOfDefaultZone()).isFalse();
        assertThat(entry(ORIGINAL).isOfDefaultZone()).isFalse();
    }

    @Test
    void one_entry_leaves_nothing_in_the_next() {
        ConntrackEntry entry = entry(ORIGINAL + REPLY + "0600 1200 0005 0000 0800 0c00 89abcdef");
        byte[] next = listed(7, 2, ORIGINAL + REPLY);
        entry.read(next, 0, next.length);
        assertThat(entry.isOfDefaultZone()).isTrue();
        assertThat(entry.flow().id()).isZero();
        byte[] empty = listed(7, 2, "");
        entry.read(empty, 0, empty.length);
        assertThat(entry.isUdp() || entry.isOfDefaultZone()).isFalse();
    }

    private final List<Integer> starts = new ArrayList<>();
    private final DumpReader reader = new DumpReader(7, (_, start, _) -> starts.add(start));

    private static byte[] datagram(byte[]... messages) {
        return bytes(Stream.of(messages).map(Hex::of).reduce("", String::concat));
    }

    private Optional<DumpReader.End> take(byte[]... messages) {
        byte[] all = datagram(messages);
        // What a reused buffer holds behind the datagram is nobody's.
        byte[] buffer = datagram(all, done(7, 0));
        return reader.take(buffer, all.length);
    }

    @Test
    void an_interrupted_listing_is_read_to_its_end_and_has_gaps() {
        byte[] whole = listed(7, 2, ORIGINAL + REPLY);
        byte[] interrupted = listed(7, 2 | Message.DUMP_INTERRUPTED, ORIGINAL + REPLY);
        assertThat(take(whole, interrupted)).isEmpty();
        assertThat(take(listed(6, 2, ORIGINAL), whole)).isEmpty();
        assertThat(take(done(7, 0))).contains(new DumpReader.End.Listed(DumpReader.Gaps.SOME));
        assertThat(starts).hasSize(3);
    }

    @Test
    void a_listing_ends_whole_interrupted_or_refused() {
        assertThat(take(done(6, 0))).isEmpty();
        assertThat(take(done(7, 0))).contains(new DumpReader.End.Listed(DumpReader.Gaps.NONE));
        assertThat(take(done(7, Errno.EINTR)))
                .contains(new DumpReader.End.Listed(DumpReader.Gaps.SOME));
        assertThat(take(done(7, Errno.EPERM))).contains(new DumpReader.End.Failed(Errno.EPERM, ""));
    }

    private static ConntrackListing of(Extent extent) {
        return new ConntrackListing(1, Filter.KERNEL, extent);
    }

    @Test
    void a_listing_with_gaps_is_repeated_until_it_has_none() {
        Iterator<ConntrackListing> attempts =
                List.of(of(Extent.PARTIAL), of(Extent.PARTIAL), of(Extent.WHOLE)).iterator();
        assertThat(ConntrackSocket.untilWhole(attempts::next)).isEqualTo(of(Extent.WHOLE));
        assertThat(attempts.hasNext()).isFalse();
    }

    @Test
    void a_listing_that_is_interrupted_every_time_is_taken_as_it_is() {
        List<ConntrackListing> attempts = new ArrayList<>();
        ConntrackListing last =
                ConntrackSocket.untilWhole(
                        () -> {
                            attempts.add(of(Extent.PARTIAL));
                            return attempts.getLast();
                        });
        assertThat(last.extent()).isEqualTo(Extent.PARTIAL);
        assertThat(attempts).hasSize(ConntrackSocket.ATTEMPTS);
    }
}
