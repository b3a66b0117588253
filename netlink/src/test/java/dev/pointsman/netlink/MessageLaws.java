package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

final class MessageLaws {
    private static final byte[] EVERY_EXPRESSION = everyExpression();

    /// An attribute to write and read back.
    sealed interface Node {
        record Leaf(int type, String hex) implements Node {}

        record Nest(int type, List<Node> inside) implements Node {}
    }

    @Property
    void attributes_are_read_as_they_were_written(@ForAll("trees") List<Node> tree) {
        var out = new MessageWriter();
        write(out, tree);
        assertThat(out.length() % 4).isZero();
        read(new Attributes(out.buffer(), 0, out.length()), tree);
    }

    @Property
    void numbers_and_names_are_read_as_they_were_written(
            @ForAll int number,
            @ForAll long wide,
            @ForAll byte small,
            @ForAll("names") String name) {
        var out = new MessageWriter();
        out.u32(1, number);
        out.nativeU32(2, number);
        out.u64(3, wide);
        out.u8(4, small);
        out.string(5, name);
        var in = new Attributes(out.buffer(), 0, out.length());
        assertThat(in.next()).isTrue();
        assertThat(in.u32()).isEqualTo(number);
        assertThat(in.next()).isTrue();
        assertThat(in.nativeU32()).isEqualTo(number);
        assertThat(in.next()).isTrue();
        assertThat(in.u64()).isEqualTo(wide);
        assertThat(in.next()).isTrue();
        assertThat(in.u8()).isEqualTo(small & 0xff);
        assertThat(in.next()).isTrue();
        assertThat(in.string()).isEqualTo(name);
        assertThat(in.next()).isFalse();
    }

    @Property(tries = 3000)
    void any_bytes_give_values_or_a_netlink_exception(
            @ForAll("datagrams") byte[] datagram,
            @ForAll("decoders") Consumer<Attributes> decoder) {
        var entry = new ConntrackEntry(IpFamily.IPV4);
        try {
            for (Message message : Message.split(datagram)) {
                var _ =
                        new DumpReader(message.sequence(), entry::read)
                                .take(datagram, datagram.length);
                if (entry.isOfDefaultZone()) {
                    var _ = entry.flow();
                }
                message.verdict();
                LinkSocket.link(message);
                LinkSocket.address(message);
                IpsetDecoder.name(message);
                IpsetCommit.line(message);
                IpsetSocket.revision(message, 5);
                GenericNetlink.familyId(message);
                new IpsetDecoder().take(message);
                decoder.accept(message.attributes(4));
            }
        } catch (NetlinkException e) {
            assertThat(e).hasMessageContaining("malformed");
        }
    }

    @Property(tries = 2000)
    void a_damaged_datagram_gives_values_or_a_netlink_exception(
            @ForAll("decoders") Consumer<Attributes> decoder,
            @ForAll int where,
            @ForAll byte what) {
        byte[] datagram = EVERY_EXPRESSION.clone();
        datagram[Math.floorMod(where, datagram.length)] = what;
        try {
            for (Message message : Message.split(datagram)) {
                decoder.accept(message.attributes(4));
            }
        } catch (NetlinkException e) {
            assertThat(e).hasMessageContaining("malformed");
        }
    }

    /// What is written, damaged and read as what the kernel would list.
    @Property(tries = 2000)
    void a_damaged_member_or_service_gives_values_or_a_netlink_exception(
            @ForAll int where, @ForAll byte what, @ForAll IpsetType type) {
        var key = new IpvsService.Key.Endpoint(6, InetAddress.ofLiteral("fd00::1"), 443);
        var socket = new IpsetMember.AddressPort(key.address(), 6, 443);
        var member = new IpsetMember.AddressPortNetwork(socket, key.address(), 64);
        var out = new MessageWriter();
        new IpvsEncoder(31)
                .command(out, 1, new IpvsCommand.AddService(IpvsService.of(key, "rr", 0)));
        new IpvsEncoder(31)
                .command(
                        out,
                        1,
                        new IpvsCommand.AddDestination(
                                key, IpvsDestination.translated(key.address(), 80, 1)));
        int from = out.length();
        new IpsetEncoder(out).member(member, 3);
        byte[] bytes = out.copyFrom(0);
        bytes[Math.floorMod(where, bytes.length)] = what;
        try {
            var list = new Attributes(bytes, from, bytes.length);
            while (list.next()) {
                IpsetDecoder.member(list.nested(), type);
            }
            for (Message message : Message.split(Arrays.copyOf(bytes, from))) {
                IpvsDecoder.service(message.attributes(4));
                IpvsDecoder.destination(message.attributes(4), IpFamily.IPV6);
            }
        } catch (NetlinkException e) {
            assertThat(e).hasMessageContaining("malformed");
        }
    }

    @Example
    void a_short_attribute_is_named_with_its_offset() {
        var out = new MessageWriter();
        out.u8(1, 7);
        out.u8(9, 7);
        var in = new Attributes(out.buffer(), 0, out.length());
        in.next();
        in.next();
        assertThatThrownBy(in::u32)
                .isInstanceOf(NetlinkException.class)
                .hasMessage(
                        "malformed netlink message: attribute 9 at offset 8 holds 1 bytes, 4 are needed");
    }

    @Property
    void an_element_is_decoded_as_it_was_encoded(@ForAll("elements") NftElement element) {
        var out = new MessageWriter();
        new NftEncoder(out).element(element, element.value());
        var in = new Attributes(out.buffer(), 0, out.length());
        assertThat(in.next()).isTrue();
        assertThat(NftDecoder.element(in.nested())).isEqualTo(element);
    }

    @Property(tries = 50)
    void every_element_of_a_batch_is_in_a_message_that_holds_it(
            @ForAll @Size(min = 1, max = 4000) List<Byte> sets) {
        var batch = new NftBatch(NftFamily.IPV4);
        for (int i = 0; i < sets.size(); i++) {
            String set = sets.get(i) > 100 ? "a" : "b";
            batch.addElement("t", set, NftElement.of(EveryExpression.number(i)), i);
        }
        assertThat(batch.operations()).isEqualTo(sets.size());
        MessageWriter out = batch.complete();
        int[] next = {0};
        for (Message message : Message.split(Arrays.copyOf(out.buffer(), out.length()))) {
            if (message.type() == NfTables.NEW_ELEMENT) {
                Attributes in = message.attributes(4);
                while (in.next()) {
                    if (in.type() == NfTables.ELEMENTS_LIST) {
                        Attributes list = in.nested();
                        while (list.next()) {
                            assertThat(NftDecoder.element(list.nested()).key())
                                    .isEqualTo(EveryExpression.number(next[0]++));
                        }
                    }
                }
            }
        }
        assertThat(next[0]).isEqualTo(sets.size());
    }

    @Example
    void a_refusal_without_an_offset_lists_all_subjects_of_the_message() {
        var batch = new NftBatch(NftFamily.IPV4);
        batch.addTable("t", "table");
        batch.addElement("t", "s", NftElement.of(EveryExpression.number(1)), "one");
        batch.addElement("t", "s", NftElement.of(EveryExpression.number(2)), "two");
        batch.complete();
        NftAnswer.Refused refused = batch.refusal(2, Errno.EINVAL, "", 0);
        assertThat(refused.subjects()).containsExactly("one", "two");
        assertThat(refused.exact()).isFalse();
        assertThat(refused.operation()).isEqualTo("add element ip t s one of 2 elements");
    }

    private static void write(MessageWriter out, List<Node> nodes) {
        for (Node node : nodes) {
            switch (node) {
                case Node.Leaf(var type, var hex) -> out.bytes(type, HexFormat.of().parseHex(hex));
                case Node.Nest(var type, var inside) -> {
                    int start = out.begin(type);
                    write(out, inside);
                    out.end(start);
                }
            }
        }
    }

    private static void read(Attributes in, List<Node> nodes) {
        for (Node node : nodes) {
            assertThat(in.next()).isTrue();
            switch (node) {
                case Node.Leaf(var type, var hex) -> {
                    assertThat(in.type()).isEqualTo(type);
                    assertThat(in.isNested()).isFalse();
                    assertThat(Hex.of(in.bytes())).isEqualTo(hex);
                }
                case Node.Nest(var type, var inside) -> {
                    assertThat(in.type()).isEqualTo(type);
                    assertThat(in.isNested()).isTrue();
                    read(in.nested(), inside);
                }
            }
        }
        assertThat(in.next()).isFalse();
    }

    @Provide
    Arbitrary<List<Node>> trees() {
        Arbitrary<Integer> types = Arbitraries.integers().between(0, 0x3fff);
        Arbitrary<Node> leaves =
                Combinators.combine(
                                types,
                                Arbitraries.bytes()
                                        .array(byte[].class)
                                        .ofMaxSize(2000)
                                        .map(Hex::of))
                        .as(Node.Leaf::new);
        Arbitrary<Node> nodes =
                Arbitraries.recursive(
                        () -> leaves,
                        inside ->
                                Combinators.combine(types, inside.list().ofMaxSize(3))
                                        .as(Node.Nest::new),
                        0,
                        3);
        return nodes.list().ofMaxSize(5);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withCharRange('!', '~').ofMaxLength(200);
    }

    /// Bytes with plausible lengths and flags in them, so that decoding gets somewhere.
    @Provide
    Arbitrary<byte[]> datagrams() {
        Arbitrary<Byte> plausible =
                Arbitraries.of(0, 1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 0x80).map(Integer::byteValue);
        return Arbitraries.oneOf(plausible, plausible, Arbitraries.bytes())
                .array(byte[].class)
                .ofMaxSize(120)
                .map(MessageLaws::withLength);
    }

    private static byte[] withLength(byte[] datagram) {
        if (datagram.length >= MessageWriter.HEADER_LENGTH && datagram[0] % 3 != 0) {
            MessageWriter.NATIVE_INT.set(datagram, 0, datagram.length);
        }
        return datagram;
    }

    private static byte[] everyExpression() {
        var batch = new NftBatch(NftFamily.IPV4);
        new EveryExpression(NftFamily.IPV4).addTo(batch);
        MessageWriter out = batch.complete();
        return Arrays.copyOf(out.buffer(), out.length());
    }

    @Provide
    Arbitrary<Consumer<Attributes>> decoders() {
        return Arbitraries.of(
                NftDecoder::table,
                NftDecoder::chain,
                NftDecoder::rule,
                NftDecoder::set,
                NftDecoder::element,
                NftDecoder::generation,
                IpvsDecoder::service,
                IpvsDecoder::info,
                IpvsDecoder::timeouts,
                in -> IpvsDecoder.destination(in, IpFamily.IPV6),
                in -> IpsetDecoder.member(in, IpsetType.HASH_IP_PORT_NET));
    }

    @Provide
    Arbitrary<NftElement> elements() {
        Arbitrary<byte[]> keys = Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(64);
        Arbitrary<byte[]> ends = Arbitraries.bytes().array(byte[].class).ofMaxSize(64);
        Arbitrary<NftValue> values =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                new NftValue.None(),
                                new NftValue.Drop(),
                                new NftValue.Accept(),
                                new NftValue.Return(),
                                new NftValue.Continue(),
                                new NftValue.Break()),
                        keys.map(NftValue.Data::new),
                        names().map(NftValue.Jump::new),
                        names().map(NftValue.Goto::new));
        Arbitrary<Duration> timeouts =
                Arbitraries.longs().between(0, 1L << 50).map(Duration::ofMillis);
        return Combinators.combine(
                        keys, ends, values, Arbitraries.of(NftElement.Kind.class), timeouts)
                .as(NftElement::new);
    }
}
