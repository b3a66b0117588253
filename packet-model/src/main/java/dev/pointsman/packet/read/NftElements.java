package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Elements;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads elements in braces.
final class NftElements {
    private final NftTokens tokens;
    private final List<NftType> types;
    private List<NftType> inferred = List.of();

    NftElements(NftTokens tokens, List<NftType> types) {
        this.tokens = tokens;
        this.types = types;
    }

    /// What braces in a rule hold.
    Elements anonymous(DraftSet.Result result) {
        List<Element> elements = new ArrayList<>();
        read(result, Element.FOREVER, elements::add);
        return new Elements(elements);
    }

    /// The types of the values of an anonymous map, once it was read.
    List<NftType> inferred() {
        return inferred;
    }

    /// @param timeout of elements that do not tell their own
    void read(DraftSet.Result result, long timeout, Consumer<Element> into) {
        tokens.expect("{");
        tokens.skipNewlines();
        while (!tokens.accept("}")) {
            into.accept(element(result, timeout));
            tokens.skipNewlines();
            if (!tokens.accept(",") && !tokens.peek().is("}")) {
                throw new NotUnderstood("element " + tokens.peek().shown());
            }
            tokens.skipNewlines();
        }
    }

    private Element element(DraftSet.Result result, long timeout) {
        int line = tokens.peek().line();
        List<Range> key = key(tokens, types);
        long until = timeout;
        while (true) {
            tokens.skipNewlines();
            Token word = tokens.peek();
            if (word.is("timeout")) {
                tokens.next();
                until = NftTime.milliseconds(tokens.next());
            } else if (word.is("expires")) {
                tokens.next();
                until = NftTime.milliseconds(tokens.next());
            } else if (word.is("comment")) {
                tokens.next();
                tokens.word("a comment");
            } else if (word.is("counter")) {
                tokens.next();
                NftRules.skipCounts(tokens);
            } else if (word.is(":")) {
                tokens.next();
                tokens.skipNewlines();
                return new Element(key, data(result), until, line);
            } else {
                return new Element(key, new Element.Data.None(), until, line);
            }
        }
    }

    private Element.Data data(DraftSet.Result result) {
        return switch (result) {
            case DraftSet.Result.Nothing _ -> throw new NotUnderstood("a value in a set");
            case DraftSet.Result.Verdicts _ -> new Element.Data.Judgement(verdict(tokens));
            case DraftSet.Result.Values(var valueTypes) ->
                    new Element.Data.Values(singles(key(tokens, valueTypes)));
            case DraftSet.Result.Inferred(var number) -> inferred(number);
        };
    }

    private Element.Data inferred(NftType number) {
        List<NftType> found = new ArrayList<>();
        List<Range> values = new ArrayList<>();
        do {
            Token word = tokens.word("a value");
            NftType type = shape(word.text(), number);
            found.add(type);
            values.add(type.range(word));
        } while (tokens.accept("."));
        if (!inferred.isEmpty() && !inferred.equals(found)) {
            throw new NotUnderstood("values of several types");
        }
        inferred = found;
        return new Element.Data.Values(singles(values));
    }

    private static NftType shape(String text, NftType number) {
        if (text.indexOf(':') >= 0) {
            return NftType.IPV6_ADDR;
        }
        return text.indexOf('.') > 0 ? NftType.IPV4_ADDR : number;
    }

    private static List<Value> singles(List<Range> ranges) {
        List<Value> values = new ArrayList<>(ranges.size());
        for (Range range : ranges) {
            if (!range.isSingle()) {
                throw new NotUnderstood("a range as value");
            }
            values.add(range.low());
        }
        return values;
    }

    /// One range for each type, separated by dots.
    static List<Range> key(NftTokens tokens, List<NftType> types) {
        if (tokens.accept("*")) {
            return types.stream().map(_ -> Range.ANY).toList();
        }
        List<Range> key = new ArrayList<>(types.size());
        for (NftType type : types) {
            if (!key.isEmpty() && !tokens.accept(".")) {
                throw new NotUnderstood(tokens.peek().shown());
            }
            tokens.skipNewlines();
            key.add(type.range(constant(tokens, type)));
        }
        return key;
    }

    private static Token constant(NftTokens tokens, NftType type) {
        return switch (type) {
            case IPV6_ADDR, INTERFACE -> tokens.word("a constant");
            case IPV4_ADDR,
                    INET_PROTO,
                    INET_SERVICE,
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
                    tokens.wordBeforeColon("a constant");
        };
    }

    static Verdict verdict(NftTokens tokens) {
        Token word = tokens.next();
        return switch (word.text()) {
            case "accept" -> new Verdict.Accept();
            case "drop" -> new Verdict.Drop();
            case "return" -> new Verdict.Return();
            case "continue" -> new Verdict.Continue();
            case "jump" -> new Verdict.Jump(tokens.word("a chain").text());
            case "goto" -> new Verdict.Goto(tokens.word("a chain").text());
            default -> throw new NotUnderstood("verdict " + word.shown());
        };
    }
}
