package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.SetReference;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import dev.pointsman.packet.netfilter.Verdict.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Reads the rules of one table (nft(8), STATEMENTS).
final class NftRules {
    private static final Value LARGEST = new Value.Bits(-1, -1);

    private final NftTokens tokens;
    private final DraftTable table;
    private final NftExpressions expressions;

    NftRules(NftTokens tokens, DraftTable table) {
        this.tokens = tokens;
        this.table = table;
        expressions = new NftExpressions(tokens, table);
    }

    /// The rule that begins here. From the first construct that is not understood on, its rest is
    /// one unknown step.
    Rule rule() {
        int outer = tokens.depth();
        Token first = tokens.peek();
        if (tokens.atEndOfStatement()) {
            throw first.unexpected("a rule");
        }
        List<Step> steps = new ArrayList<>();
        int start = first.start();
        try {
            while (!tokens.atEndOfStatement()) {
                start = tokens.peek().start();
                steps.addAll(statement());
            }
        } catch (NotUnderstood _) {
            tokens.skipStatement(outer);
            steps.add(new Step.Unknown(tokens.slice(start, tokens.consumed())));
        }
        return new Rule(steps, first.line(), tokens.slice(first.start(), tokens.consumed()));
    }

    private List<Step> statement() {
        Token word = tokens.peek();
        if (word.kind() == Token.Kind.FOREIGN) {
            return foreign(tokens.next().text());
        }
        return switch (word.text()) {
            case "counter" -> {
                tokens.next();
                skipCounts(tokens);
                yield List.of();
            }
            case "comment" -> {
                tokens.next();
                tokens.word("a comment");
                yield List.of();
            }
            case "log" -> {
                skipLog();
                yield List.of();
            }
            case "limit" -> List.of(new Step.Unknown(limit()));
            case "accept", "drop", "return", "continue", "jump", "goto" ->
                    List.of(new Step.Take(NftElements.verdict(tokens)));
            case "reject" -> {
                tokens.next();
                yield List.of(new Step.Take(new Verdict.Reject(refusal())));
            }
            case "notrack" -> {
                tokens.next();
                yield List.of(new Step.Untrack());
            }
            case "xt" -> {
                tokens.next();
                yield foreign("xt " + tokens.next().text() + " " + tokens.next().text());
            }
            case "dnat", "snat", "masquerade", "redirect" -> translation(tokens.next());
            case "add", "update", "delete" -> update(tokens.next());
            default -> expression();
        };
    }

    /// A match or target of iptables that this nft could not translate. Its comments do nothing.
    private static List<Step> foreign(String text) {
        return text.equals("xt match comment") ? List.of() : List.of(new Step.Unknown(text));
    }

    static void skipCounts(NftTokens tokens) {
        if (tokens.accept("name")) {
            tokens.word("a counter");
            return;
        }
        if (tokens.accept("packets")) {
            tokens.word("a number");
            tokens.expect("bytes");
            tokens.word("a number");
        }
    }

    private void skipLog() {
        tokens.expect("log");
        while (true) {
            switch (tokens.peek().text()) {
                case "prefix", "level", "group", "snaplen", "queue-threshold" -> {
                    tokens.next();
                    tokens.word("a value");
                }
                case "flags" -> {
                    tokens.next();
                    Token layer = tokens.word("a flag");
                    if (layer.is("tcp") || layer.is("ip")) {
                        tokens.word("a flag");
                    }
                    while (tokens.accept(",")) {
                        tokens.word("a flag");
                    }
                }
                default -> {
                    return;
                }
            }
        }
    }

    /// What a rate does to one packet depends on the others.
    private String limit() {
        int start = tokens.next().start();
        if (tokens.accept("name")) {
            tokens.word("a limit");
            return tokens.slice(start, tokens.consumed());
        }
        tokens.expect("rate");
        tokens.accept("over");
        tokens.word("a rate");
        if (tokens.peek().text().matches("(k|m)?bytes/.*")) {
            tokens.next();
        }
        if (tokens.accept("burst")) {
            tokens.word("a number");
            tokens.word("packets or bytes");
        }
        return tokens.slice(start, tokens.consumed());
    }

    /// nft(8), REJECT STATEMENT: without a kind it is port unreachable.
    private Refusal refusal() {
        if (!tokens.accept("with")) {
            return Refusal.PORT_UNREACHABLE;
        }
        Token family = tokens.next();
        if (family.is("tcp")) {
            tokens.expect("reset");
            return Refusal.TCP_RESET;
        }
        tokens.accept("type");
        Token kind = tokens.next();
        return switch (kind.text()) {
            case "port-unreachable" -> Refusal.PORT_UNREACHABLE;
            case "host-unreachable" -> Refusal.HOST_UNREACHABLE;
            case "net-unreachable" -> Refusal.NET_UNREACHABLE;
            case "prot-unreachable" -> Refusal.PROTOCOL_UNREACHABLE;
            case "net-prohibited" -> Refusal.NET_PROHIBITED;
            case "host-prohibited" -> Refusal.HOST_PROHIBITED;
            case "admin-prohibited" -> Refusal.ADMIN_PROHIBITED;
            case "no-route" -> Refusal.NO_ROUTE;
            case "addr-unreachable" -> Refusal.ADDRESS_UNREACHABLE;
            case "policy-fail" -> Refusal.POLICY_FAIL;
            case "reject-route" -> Refusal.ROUTE_REJECTED;
            default -> throw new NotUnderstood("reject with " + kind.shown());
        };
    }

    /// An expression and what is done with it: compared, looked up, or set.
    private List<Step> expression() {
        Typed left = expressions.expression(NftType.MARK);
        List<Step> steps = new ArrayList<>(left.needs());
        Token next = tokens.peek();
        if (next.is("set")) {
            tokens.next();
            return assignment(left);
        }
        if (next.is("vmap")) {
            tokens.next();
            steps.add(new Step.Choose(left.operand(), verdictMap(left.types())));
            return steps;
        }
        steps.add(comparison(left));
        return steps;
    }

    private SetReference verdictMap(List<NftType> types) {
        return tokens.peek().is("{")
                ? new SetReference.Anonymous(
                        new NftElements(tokens, types).anonymous(new DraftSet.Result.Verdicts()))
                : new SetReference.Named(expressions.reference());
    }

    private List<Step> assignment(Typed target) {
        Step.Mark mark;
        if (target.operand() == Operand.Field.MARK) {
            mark = Step.Mark.PACKET;
        } else if (target.operand() == Operand.Field.CONNECTION_MARK) {
            mark = Step.Mark.CONNECTION;
        } else {
            throw new NotUnderstood("set");
        }
        Token first = tokens.peek();
        if (!first.text().isEmpty() && Character.isDigit(first.text().charAt(0))) {
            Value number = NftType.MARK.value(tokens.next());
            return List.of(new Step.Assign(mark, Operand.Constant.of(number)));
        }
        Typed value = expressions.expression(NftType.MARK);
        if (value.type() == NftType.INTERFACE) {
            throw new NotUnderstood("a name for a mark");
        }
        List<Step> steps = new ArrayList<>(value.needs());
        steps.add(new Step.Assign(mark, value.operand()));
        return steps;
    }

    private Step comparison(Typed left) {
        Token operator = tokens.peek();
        return switch (operator.text()) {
            case "==", "eq" -> {
                tokens.next();
                yield equal(left, Sense.IS);
            }
            case "!=", "ne" -> {
                tokens.next();
                yield equal(left, Sense.IS_NOT);
            }
            case "<", "lt" -> {
                tokens.next();
                yield order(left, Sense.IS_NOT, bound(left), LARGEST);
            }
            case ">=", "ge" -> {
                tokens.next();
                yield order(left, Sense.IS, bound(left), LARGEST);
            }
            case ">", "gt" -> {
                tokens.next();
                yield order(left, Sense.IS_NOT, Value.of(0), bound(left));
            }
            case "<=", "le" -> {
                tokens.next();
                yield order(left, Sense.IS, Value.of(0), bound(left));
            }
            case "!" -> {
                tokens.next();
                yield new Step.AnyBit(left.operand(), Sense.IS_NOT, bits(left));
            }
            default -> implied(left);
        };
    }

    /// Numbers have an order that nft and the model agree about; names have none.
    private Value bound(Typed left) {
        Value bound = left.type().value(tokens.word("a constant"));
        if (bound instanceof Value.Name name) {
            throw new NotUnderstood("an order of names, at " + name);
        }
        return bound;
    }

    private static Step order(Typed left, Sense sense, Value low, Value high) {
        return Step.In.of(left.operand(), sense, new Range(low, high));
    }

    /// Without an operator, bits ask for any of them (nft(8), BITMASK TYPE; what nft 1.0.6 makes of
    /// `ct state established,related`).
    private Step implied(Typed left) {
        boolean single = left.types().size() == 1 && left.type().isBitmask();
        if (!single || tokens.peek().is("{") || tokens.peek().text().startsWith("@")) {
            return equal(left, Sense.IS);
        }
        long bits = bits(left);
        if (!tokens.accept("/")) {
            return new Step.AnyBit(left.operand(), Sense.IS, bits);
        }
        return masked(left, Sense.IS, bits);
    }

    /// `syn / syn,ack`: of the second flags exactly the first are set.
    private Step masked(Typed left, Sense sense, long bits) {
        var operand =
                new Operand.Masked(
                        left.operand(), new Value.Bits(0, bits(left)), new Value.Bits(0, 0));
        return Step.In.of(operand, sense, Range.of(Value.of(bits)));
    }

    private long bits(Typed left) {
        long bits = expressions.constantBits(left.type()).low();
        while (tokens.accept(",")) {
            bits |= expressions.constantBits(left.type()).low();
        }
        return bits;
    }

    private Step equal(Typed left, Sense sense) {
        boolean set = tokens.peek().is("{") || tokens.peek().text().startsWith("@");
        if (!set && left.types().size() == 1 && left.type().isBitmask()) {
            long bits = bits(left);
            return tokens.accept("/")
                    ? masked(left, sense, bits)
                    : Step.In.of(left.operand(), sense, Range.of(Value.of(bits)));
        }
        return new Step.In(left.operand(), sense, expressions.set(left.types()));
    }

    private List<Step> update(Token change) {
        String name = expressions.reference();
        tokens.expect("{");
        Typed key = expressions.expression(NftType.INTEGER);
        long timeout = tokens.accept("timeout") ? NftTime.milliseconds(tokens.next()) : 0;
        Typed value =
                tokens.accept(":")
                        ? expressions.expression(NftType.INTEGER)
                        : new Typed(new Operand.Concatenation(List.of()), List.of(), List.of());
        if (!tokens.accept("}")) {
            throw new NotUnderstood(tokens.peek().shown());
        }
        List<Step> steps = new ArrayList<>(key.needs());
        steps.addAll(value.needs());
        steps.add(
                new Step.Update(
                        name,
                        switch (change.text()) {
                            case "add" -> Step.Change.ADD;
                            case "update" -> Step.Change.REFRESH;
                            default -> Step.Change.DELETE;
                        },
                        key.operand(),
                        value.operand(),
                        timeout));
        return steps;
    }

    private List<Step> translation(Token statement) {
        NftTranslation.Families families =
                switch (table.scope()) {
                    case IP, IP6 -> NftTranslation.Families.ONE;
                    case INET -> NftTranslation.Families.BOTH;
                };
        return new NftTranslation(tokens, expressions, families).read(statement);
    }
}
