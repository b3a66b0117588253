package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftConntrack;
import dev.pointsman.netlink.NftExpression;
import dev.pointsman.netlink.NftExpression.Bitwise;
import dev.pointsman.netlink.NftExpression.Byteorder;
import dev.pointsman.netlink.NftExpression.Cmp;
import dev.pointsman.netlink.NftExpression.Cmp.Comparison;
import dev.pointsman.netlink.NftExpression.CtKey;
import dev.pointsman.netlink.NftExpression.CtLoad;
import dev.pointsman.netlink.NftExpression.Dynset;
import dev.pointsman.netlink.NftExpression.Fib;
import dev.pointsman.netlink.NftExpression.Immediate;
import dev.pointsman.netlink.NftExpression.Lookup;
import dev.pointsman.netlink.NftExpression.MapLookup;
import dev.pointsman.netlink.NftExpression.MetaKey;
import dev.pointsman.netlink.NftExpression.MetaLoad;
import dev.pointsman.netlink.NftExpression.MetaSet;
import dev.pointsman.netlink.NftExpression.Nat;
import dev.pointsman.netlink.NftExpression.NatFlag;
import dev.pointsman.netlink.NftExpression.Payload;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftFamily;
import dev.pointsman.netlink.NftRegister;
import dev.pointsman.netlink.NftValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Rules as the kernel runs them: the instructions that nft makes of the words of [RuleText], so
/// that a rule which went through `nft -f` is still recognised as ours.
final class RuleCode {
    private static final int FIRST = NftRegister.word(0);
    private static final int INTERFACE_NAME = 16;

    private final Family family;
    private final List<NftExpression> code = new ArrayList<>();

    private RuleCode(Family family) {
        this.family = family;
    }

    static List<NftExpression> of(Rule rule, Family family) {
        RuleCode code = new RuleCode(family);
        rule.statements().forEach(code::add);
        return List.copyOf(code.code);
    }

    static NftFamily family(Family family) {
        return switch (family) {
            case IPV4 -> NftFamily.IPV4;
            case IPV6 -> NftFamily.IPV6;
        };
    }

    private void add(Statement statement) {
        switch (statement) {
            case Statement.NewConnection _ -> connection(CtKey.STATE, NftConntrack.STATE_NEW);
            case Statement.Translated _ -> connection(CtKey.STATUS, NftConntrack.STATUS_DNAT);
            case Statement.FromThisNode _ -> local(Fib.Of.SADDR);
            case Statement.ToThisNode _ -> local(Fib.Of.DADDR);
            case Statement.ToItsInterface _ -> local(Fib.Of.DADDR, Fib.Of.IIF);
            case Statement.ProtocolIs(var protocol) -> {
                code.add(Field.Packet.PROTOCOL.load(family, FIRST));
                code.add(new Cmp(FIRST, Comparison.EQ, new byte[] {(byte) protocol.number()}));
            }
            case Statement.Within(var field, var sense, var range) -> within(field, sense, range);
            case Statement.NotThrough(String name) ->
                    otherInterface(Arrays.copyOf(ascii(name), INTERFACE_NAME));
            case Statement.NotThroughPrefix(String prefix) -> otherInterface(ascii(prefix));
            case Statement.InSet(var key, var sense, String set) -> {
                load(key);
                code.add(new Lookup(set, FIRST, sense));
            }
            case Statement.Marked(int bit) -> {
                changeMark(bit, 0);
                code.add(new Cmp(FIRST, Comparison.EQ, number(bit)));
            }
            case Statement.Mark(int bit) -> {
                changeMark(~bit, bit);
                code.add(new MetaSet(MetaKey.MARK, FIRST));
            }
            case Statement.Unmark(int bit) -> {
                changeMark(~bit, 0);
                code.add(new MetaSet(MetaKey.MARK, FIRST));
            }
            case Statement.VerdictFrom(var key, String map) -> {
                code.addAll(key.load(family));
                code.add(new MapLookup(map, FIRST, NftRegister.VERDICT));
            }
            case Statement.Take(NftValue.Verdict verdict) -> code.add(new Immediate(verdict));
            case Statement.DnatFrom(var key, String map) -> {
                code.addAll(key.load(family));
                code.add(new MapLookup(map, FIRST, FIRST));
                dnat(NftRegister.word(family.bits() / 32));
            }
            case Statement.DnatTo(Endpoint endpoint) -> {
                // nft puts every immediate into a register of 16 bytes.
                int port = NftRegister.word(4);
                code.add(new Immediate(new NftValue.Data(endpoint.address().bytes()), FIRST));
                code.add(new Immediate(new NftValue.Data(network(endpoint.port())), port));
                dnat(port);
            }
            case Statement.Masquerade _ ->
                    code.add(new NftExpression.Masquerade(Set.of(NatFlag.FULLY_RANDOM)));
            case Statement.Reject _ ->
                    code.add(
                            switch (family) {
                                case IPV4 -> NftExpression.Reject.IPV4_PORT_UNREACHABLE;
                                case IPV6 -> NftExpression.Reject.IPV6_PORT_UNREACHABLE;
                            });
            case Statement.Remember(String set, int seconds) -> {
                code.addAll(Key.SOURCE.load(family));
                code.add(
                        new Dynset(
                                set,
                                Dynset.Action.UPDATE,
                                FIRST,
                                NftRegister.VERDICT,
                                Duration.ofSeconds(seconds)));
            }
        }
    }

    /// For keys of ranges nft wants all fields in network order, and says so even of the protocol's
    /// single byte, which makes no difference.
    private void load(Key key) {
        int word = 0;
        for (Field field : key.fields()) {
            int register = NftRegister.word(word);
            code.add(field.load(family, register));
            if (field == Field.Packet.PROTOCOL && key.equals(Sets.SOURCE_RANGES.key())) {
                code.add(new Byteorder(register, register, Byteorder.Conversion.HTON, 1, 2));
            }
            word += field.words(family);
        }
    }

    private void connection(CtKey key, int bit) {
        code.add(new CtLoad(key, CtLoad.Direction.NONE, FIRST));
        code.add(new Bitwise(FIRST, FIRST, number(bit), number(0)));
        code.add(new Cmp(FIRST, Comparison.NEQ, number(0)));
    }

    private void local(Fib.Of... of) {
        code.add(new Fib(Fib.Result.ADDRESS_TYPE, Set.of(of), FIRST));
        code.add(new Cmp(FIRST, Comparison.EQ, number(Fib.LOCAL)));
    }

    /// A prefix of whole bytes is compared as such, another one under a mask.
    private void within(Field.Packet field, Sense sense, Cidr range) {
        Comparison comparison =
                switch (sense) {
                    case IN -> Comparison.EQ;
                    case NOT_IN -> Comparison.NEQ;
                };
        byte[] base = range.base().bytes();
        NftExpression load = field.load(family, FIRST);
        int whole = range.length() / 8;
        if (range.length() % 8 == 0
                && whole > 0
                && load instanceof Payload(var header, int offset, _, int register)) {
            code.add(new Payload(header, offset, whole, register));
            code.add(new Cmp(FIRST, comparison, Arrays.copyOf(base, whole)));
            return;
        }
        byte[] mask = new byte[base.length];
        for (int bit = 0; bit < range.length(); bit++) {
            mask[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        code.add(load);
        code.add(new Bitwise(FIRST, FIRST, mask, new byte[base.length]));
        code.add(new Cmp(FIRST, comparison, base));
    }

    private void otherInterface(byte[] name) {
        code.add(new MetaLoad(MetaKey.IIFNAME, FIRST));
        code.add(new Cmp(FIRST, Comparison.NEQ, name));
    }

    private void changeMark(int mask, int xor) {
        code.add(new MetaLoad(MetaKey.MARK, FIRST));
        code.add(new Bitwise(FIRST, FIRST, number(mask), number(xor)));
    }

    private void dnat(int portRegister) {
        code.add(new Nat(Nat.Kind.DNAT, family(family), FIRST, portRegister, Set.of()));
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(number).array();
    }

    private static byte[] network(int port) {
        return ByteBuffer.allocate(2).putShort((short) port).array();
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
