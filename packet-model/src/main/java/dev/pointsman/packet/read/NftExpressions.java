package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Operand.Field;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Transport;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// Reads expressions (nft(8), PRIMARY EXPRESSIONS and PAYLOAD EXPRESSIONS).
final class NftExpressions {
    private static final Value.Bits ALL = new Value.Bits(-1, -1);
    private static final Value.Bits NONE = new Value.Bits(0, 0);
    private static final int NESTING = 100;
    private static final long FAMILY_4 = 2;
    private static final long FAMILY_6 = 10;

    private final NftTokens tokens;
    private final DraftTable table;

    NftExpressions(NftTokens tokens, DraftTable table) {
        this.tokens = tokens;
        this.table = table;
    }

    /// One or several primaries side by side, with what a map makes of them.
    ///
    /// @param number what the values of an anonymous map are that are no addresses
    Typed expression(NftType number) {
        Typed first = masked(primary());
        if (tokens.peek().is(".")) {
            List<Operand> operands = new ArrayList<>(List.of(first.operand()));
            List<NftType> types = new ArrayList<>(first.types());
            List<Step.Match> needs = new ArrayList<>(first.needs());
            while (tokens.accept(".")) {
                tokens.skipNewlines();
                Typed next = primary();
                operands.add(next.operand());
                types.addAll(next.types());
                needs.addAll(next.needs());
            }
            first = new Typed(new Operand.Concatenation(operands), types, needs);
        }
        return tokens.accept("map") ? mapped(first, number) : first;
    }

    private Typed mapped(Typed key, NftType number) {
        if (tokens.peek().is("{")) {
            NftElements elements = new NftElements(tokens, key.types());
            var map =
                    new SetReference.Anonymous(
                            elements.anonymous(new DraftSet.Result.Inferred(number)));
            return new Typed(
                    new Operand.Lookup(key.operand(), map), elements.inferred(), key.needs());
        }
        String name = reference();
        DraftSet set =
                table.set(name)
                        .filter(found -> !found.isOpaque())
                        .orElseThrow(() -> new NotUnderstood("map @" + name));
        if (!(set.result() instanceof DraftSet.Result.Values(var types))) {
            throw new NotUnderstood("map @" + name);
        }
        return new Typed(
                new Operand.Lookup(key.operand(), new SetReference.Named(name)),
                types,
                key.needs());
    }

    /// The name behind an `@`.
    String reference() {
        Token token = tokens.wordBeforeColon("@NAME");
        if (!token.text().startsWith("@")) {
            throw new NotUnderstood(token.shown());
        }
        return token.text().substring(1);
    }

    /// The set a match looks into: a named one, or constants.
    SetReference set(List<NftType> types) {
        if (tokens.peek().text().startsWith("@")) {
            return new SetReference.Named(reference());
        }
        if (tokens.peek().is("{")) {
            return new SetReference.Anonymous(
                    new NftElements(tokens, types).anonymous(new DraftSet.Result.Nothing()));
        }
        return new SetReference.Anonymous(
                new Elements(
                        List.of(
                                Element.permanent(
                                        NftElements.key(tokens, types),
                                        new Element.Data.None(),
                                        0))));
    }

    /// `& constant`, `| constant`, `^ constant`, once or several times.
    private Typed masked(Typed inner) {
        Typed at = inner;
        while (true) {
            Token operator = tokens.peek();
            if (operator.is("&") || operator.is("and")) {
                tokens.next();
                at = bits(at, constantBits(at.type()), NONE);
            } else if (operator.is("|") || operator.is("or")) {
                tokens.next();
                Value.Bits or = constantBits(at.type());
                at = bits(at, new Value.Bits(~or.high(), ~or.low()), or);
            } else if (operator.is("^") || operator.is("xor")) {
                tokens.next();
                at = bits(at, ALL, constantBits(at.type()));
            } else if (operator.is("<<") || operator.is(">>")) {
                throw new NotUnderstood("a shift");
            } else {
                return at;
            }
        }
    }

    private static Typed bits(Typed inner, Value.Bits and, Value.Bits xor) {
        return new Typed(
                new Operand.Masked(inner.operand(), and, xor), inner.types(), inner.needs());
    }

    /// A constant, or several joined by `|`, perhaps in parentheses.
    Value.Bits constantBits(NftType type) {
        boolean enclosed = tokens.accept("(");
        Value.Bits bits = NONE;
        do {
            if (!(type.value(tokens.word("a constant")) instanceof Value.Bits more)) {
                throw new NotUnderstood("bits of a name");
            }
            bits = new Value.Bits(bits.high() | more.high(), bits.low() | more.low());
        } while (tokens.accept("|") || enclosed && tokens.accept(","));
        if (enclosed) {
            tokens.expect(")");
        }
        return bits;
    }

    private Typed primary() {
        Token token = tokens.next();
        if (token.is("(")) {
            if (tokens.depth() > NESTING) {
                throw new NotUnderstood("so many parentheses");
            }
            Typed inner = expression(NftType.INTEGER);
            tokens.expect(")");
            return inner;
        }
        if (token.kind() != Token.Kind.WORD) {
            throw new NotUnderstood(token.shown());
        }
        return switch (token.text()) {
            case "ip" -> header(Family.IPV4);
            case "ip6" -> header(Family.IPV6);
            case "tcp", "udp", "sctp", "dccp", "udplite" -> transport(token);
            case "th" -> port(tokens.next());
            case "icmp" -> icmp(Transport.ICMP, NftType.ICMP_TYPE, FAMILY_4);
            case "icmpv6" -> icmp(Transport.ICMPV6, NftType.ICMPV6_TYPE, FAMILY_6);
            case "meta" -> meta(tokens.next());
            case "ct" -> ct();
            case "fib" -> fib();
            case "numgen" -> numgen();
            default -> meta(token);
        };
    }

    private Typed header(Family family) {
        Token field = tokens.next();
        return switch (field.text()) {
            case "saddr" -> address(family, Operand.End.SOURCE);
            case "daddr" -> address(family, Operand.End.DESTINATION);
            case "protocol", "nexthdr" ->
                    Typed.of(Field.PROTOCOL, NftType.INET_PROTO)
                            .needing(Step.In.of(Field.FAMILY, Value.of(number(family))));
            default -> throw new NotUnderstood(field.shown());
        };
    }

    private static long number(Family family) {
        return switch (family) {
            case IPV4 -> FAMILY_4;
            case IPV6 -> FAMILY_6;
        };
    }

    private static Typed address(Family family, Operand.End end) {
        return Typed.of(new Operand.Address(family, end), NftType.address(family));
    }

    private Typed transport(Token protocol) {
        Value number = NftType.INET_PROTO.value(protocol);
        Token field = tokens.next();
        Typed typed =
                protocol.is("tcp") && field.is("flags")
                        ? Typed.of(Field.TCP_FLAGS, NftType.TCP_FLAGS)
                        : port(field);
        return typed.needing(Step.In.of(Field.PROTOCOL, number));
    }

    private static Typed port(Token field) {
        return switch (field.text()) {
            case "sport" -> Typed.of(Field.SOURCE_PORT, NftType.INET_SERVICE);
            case "dport" -> Typed.of(Field.DESTINATION_PORT, NftType.INET_SERVICE);
            default -> throw new NotUnderstood(field.shown());
        };
    }

    private Typed icmp(int protocol, NftType type, long family) {
        Token field = tokens.next();
        Typed typed =
                switch (field.text()) {
                    case "type" -> Typed.of(Field.ICMP_TYPE, type);
                    case "code" -> Typed.of(Field.ICMP_CODE, NftType.INTEGER);
                    default -> throw new NotUnderstood(field.shown());
                };
        return typed.needing(
                Step.In.of(Field.FAMILY, Value.of(family)),
                Step.In.of(Field.PROTOCOL, Value.of(protocol)));
    }

    private static Typed meta(Token key) {
        return switch (key.text()) {
            case "l4proto" -> Typed.of(Field.PROTOCOL, NftType.INET_PROTO);
            case "mark" -> Typed.of(Field.MARK, NftType.MARK);
            // Indexes are listed by name.
            case "iifname", "iif" -> Typed.of(Field.IN_INTERFACE, NftType.INTERFACE);
            case "oifname", "oif" -> Typed.of(Field.OUT_INTERFACE, NftType.INTERFACE);
            case "nfproto" -> Typed.of(Field.FAMILY, NftType.FAMILY);
            case "protocol" -> Typed.of(Field.FAMILY, NftType.ETHER_TYPE);
            case "pkttype" -> Typed.of(Operand.Constant.of(Value.of(0)), NftType.PACKET_TYPE);
            default -> throw new NotUnderstood(key.shown());
        };
    }

    private Typed ct() {
        Token key = tokens.next();
        return switch (key.text()) {
            case "state" -> Typed.of(Field.STATE, NftType.CT_STATE);
            case "status" -> Typed.of(Field.STATUS, NftType.CT_STATUS);
            case "direction" -> Typed.of(Field.DIRECTION, NftType.CT_DIRECTION);
            case "mark" -> Typed.of(Field.CONNECTION_MARK, NftType.MARK);
            case "original" ->
                    tuple(
                            Operand.End.ORIGINAL_SOURCE,
                            Operand.End.ORIGINAL_DESTINATION,
                            Field.ORIGINAL_SOURCE_PORT,
                            Field.ORIGINAL_DESTINATION_PORT);
            case "reply" ->
                    tuple(
                            Operand.End.REPLY_SOURCE,
                            Operand.End.REPLY_DESTINATION,
                            Field.REPLY_SOURCE_PORT,
                            Field.REPLY_DESTINATION_PORT);
            default -> throw new NotUnderstood("ct " + key.shown());
        };
    }

    private Typed tuple(Operand.End source, Operand.End destination, Field sourcePort, Field port) {
        Token field = tokens.next();
        return switch (field.text()) {
            case "protocol" -> Typed.of(Field.CONNECTION_PROTOCOL, NftType.INET_PROTO);
            case "proto-src" -> Typed.of(sourcePort, NftType.INET_SERVICE);
            case "proto-dst" -> Typed.of(port, NftType.INET_SERVICE);
            case "ip" -> address(Family.IPV4, end(tokens.next(), source, destination));
            case "ip6" -> address(Family.IPV6, end(tokens.next(), source, destination));
            // Before nft 0.9.1 the family followed from the table.
            case "saddr", "daddr" ->
                    switch (table.scope()) {
                        case IP -> address(Family.IPV4, end(field, source, destination));
                        case IP6 -> address(Family.IPV6, end(field, source, destination));
                        case INET -> throw new NotUnderstood(field.shown());
                    };
            default -> throw new NotUnderstood(field.shown());
        };
    }

    private static Operand.End end(Token field, Operand.End source, Operand.End destination) {
        return switch (field.text()) {
            case "saddr" -> source;
            case "daddr" -> destination;
            default -> throw new NotUnderstood(field.shown());
        };
    }

    private Typed fib() {
        Operand.End end = end(tokens.next(), Operand.End.SOURCE, Operand.End.DESTINATION);
        Operand.Limit limit = Operand.Limit.ANY_INTERFACE;
        while (tokens.accept(".")) {
            Token with = tokens.next();
            limit =
                    switch (with.text()) {
                        case "iif" -> Operand.Limit.IN_INTERFACE;
                        case "oif" -> Operand.Limit.OUT_INTERFACE;
                        default -> throw new NotUnderstood("fib with " + with.shown());
                    };
        }
        Token asked = tokens.next();
        if (!asked.is("type")) {
            throw new NotUnderstood("fib " + asked.shown());
        }
        return Typed.of(new Operand.AddressType(end, limit), NftType.FIB_ADDRTYPE);
    }

    private Typed numgen() {
        Token kind = tokens.next();
        if (!kind.is("random") && !kind.is("inc")) {
            throw new NotUnderstood("numgen " + kind.shown());
        }
        tokens.expect("mod");
        long modulus = number(tokens.next());
        long offset = tokens.accept("offset") ? number(tokens.next()) : 0;
        if (modulus < 1 || modulus > Operand.Random.LIMIT) {
            throw new NotUnderstood("numgen of " + modulus);
        }
        return Typed.of(new Operand.Random((int) modulus, offset), NftType.INTEGER);
    }

    private static long number(Token token) {
        return NftType.INTEGER.value(token).number();
    }

    /// The types of a set declaration by `typeof`.
    List<NftType> typeof() {
        return expression(NftType.INTEGER).types();
    }
}
