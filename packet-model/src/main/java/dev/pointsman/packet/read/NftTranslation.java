package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Value;
import java.util.ArrayList;
import java.util.List;

/// Reads NAT statements (nft(8), NAT STATEMENTS).
final class NftTranslation {

    /// Which families the table's chains see.
    enum Families {
        ONE,
        BOTH
    }

    private final NftTokens tokens;
    private final NftExpressions expressions;
    private final Families families;

    /// Where to, as far as it was read.
    private final List<Operand> operands = new ArrayList<>();

    private final List<Step.Part> parts = new ArrayList<>();
    private final List<Step> needs = new ArrayList<>();

    NftTranslation(NftTokens tokens, NftExpressions expressions, Families families) {
        this.tokens = tokens;
        this.expressions = expressions;
        this.families = families;
    }

    List<Step> read(Token statement) {
        Step.Kind kind =
                switch (statement.text()) {
                    case "dnat" -> Step.Kind.DNAT;
                    case "snat" -> Step.Kind.SNAT;
                    case "redirect" -> Step.Kind.REDIRECT;
                    default -> Step.Kind.MASQUERADE;
                };
        family();
        if (tokens.accept("addr")) {
            tokens.expect(".");
            tokens.expect("port");
        } else if (tokens.accept("prefix") || tokens.accept("interval")) {
            throw new NotUnderstood("translation of prefixes");
        }
        if (tokens.accept("to")) {
            target(kind);
        }
        Step.Ports ports = flags();
        needs.add(new Step.Translate(kind, new Operand.Concatenation(operands), parts, ports));
        return needs;
    }

    private void family() {
        Token family = tokens.peek();
        if (family.is("ip") || family.is("ip6")) {
            tokens.next();
            long number = family.is("ip") ? 2 : 10;
            switch (families) {
                case ONE -> {}
                case BOTH -> needs.add(Step.In.of(Operand.Field.FAMILY, Value.of(number)));
            }
        }
    }

    private void target(Step.Kind kind) {
        Token first = tokens.peek();
        if (first.is("[")) {
            bracketed();
        } else if (first.text().startsWith(":")) {
            port(kind);
        } else if (first.text().matches("[0-9.]+(:[0-9-]+)?")) {
            Token word = tokens.wordBeforeColon("an address");
            constant(NftType.IPV4_ADDR, word);
            port(kind);
        } else if (first.text().matches("[0-9a-fA-F:]*:[0-9a-fA-F:.]*")) {
            constant(NftType.IPV6_ADDR, tokens.next());
        } else {
            Typed typed = expressions.expression(NftType.INET_SERVICE);
            needs.addAll(typed.needs());
            operands.add(typed.operand());
            typed.types().forEach(type -> parts.add(part(type)));
            port(kind);
        }
    }

    private void bracketed() {
        tokens.expect("[");
        Token address = tokens.word("an address");
        tokens.expect("]");
        constant(NftType.IPV6_ADDR, address);
        port(Step.Kind.DNAT);
    }

    private void constant(NftType type, Token word) {
        operands.add(Operand.Constant.of(type.value(word)));
        parts.add(Step.Part.ADDRESS);
    }

    private static Step.Part part(NftType type) {
        return switch (type) {
            case IPV4_ADDR, IPV6_ADDR -> Step.Part.ADDRESS;
            case INET_SERVICE -> Step.Part.PORT;
            case INET_PROTO,
                    INTERFACE,
                    MARK,
                    INTEGER,
                    FAMILY,
                    ETHER_TYPE,
                    PACKET_TYPE,
                    CT_STATE,
                    CT_STATUS,
                    CT_DIRECTION,
                    TCP_FLAGS,
                    ICMP_TYPE,
                    ICMPV6_TYPE,
                    FIB_ADDRTYPE ->
                    throw new NotUnderstood("translation to " + type);
        };
    }

    /// `:8080`, or `: expression`. A range of ports to choose a source port from does not matter.
    private void port(Step.Kind kind) {
        Token token = tokens.peek();
        if (!token.text().startsWith(":")) {
            return;
        }
        tokens.next();
        if (token.is(":")) {
            if (Character.isDigit(firstLetter(tokens.peek()))) {
                Token number = tokens.next();
                portConstant(kind, number, number.text());
                return;
            }
            Typed typed = expressions.expression(NftType.INET_SERVICE);
            needs.addAll(typed.needs());
            operands.add(typed.operand());
            parts.add(part(typed.type()));
            return;
        }
        portConstant(kind, token, token.text().substring(1));
    }

    private static char firstLetter(Token token) {
        return token.text().isEmpty() ? ' ' : token.text().charAt(0);
    }

    private void portConstant(Step.Kind kind, Token token, String text) {
        boolean range = text.indexOf('-') > 0;
        switch (kind) {
            case MASQUERADE, SNAT -> {
                if (range) {
                    return;
                }
            }
            case DNAT, REDIRECT -> {
                if (range) {
                    throw new NotUnderstood("a range of ports");
                }
            }
        }
        operands.add(
                Operand.Constant.of(
                        NftType.INET_SERVICE.value(
                                new Token(
                                        Token.Kind.WORD,
                                        text,
                                        token.line(),
                                        token.column(),
                                        token.start(),
                                        token.end()))));
        parts.add(Step.Part.PORT);
    }

    /// How the kernel picks a port, and whether it stays with an address of several.
    private Step.Ports flags() {
        Step.Ports ports = Step.Ports.KEPT;
        do {
            if (tokens.accept("random") || tokens.accept("fully-random")) {
                ports = Step.Ports.RANDOM;
            } else if (!tokens.accept("persistent")) {
                return ports;
            }
        } while (tokens.accept(","));
        return ports;
    }
}
