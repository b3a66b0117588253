package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftValue;
import java.util.Locale;
import java.util.stream.Collectors;

/// Rules in the words of `nft list ruleset`.
final class RuleText {
    private static final String[] TIME_UNITS = {"d", "h", "m", "s"};
    private static final int[] TIME_SIZES = {86400, 3600, 60, 1};

    private RuleText() {}

    static String of(Rule rule, Family family) {
        return rule.statements().stream()
                .map(statement -> of(statement, family))
                .collect(Collectors.joining(" "));
    }

    private static String of(Statement statement, Family family) {
        String ip = Field.ip(family);
        return switch (statement) {
            case Statement.NewConnection _ -> "ct state new";
            case Statement.Translated _ -> "ct status dnat";
            case Statement.FromThisNode _ -> "fib saddr type local";
            case Statement.ToThisNode _ -> "fib daddr type local";
            case Statement.ToItsInterface _ -> "fib daddr . iif type local";
            case Statement.ProtocolIs(var protocol) -> "meta l4proto " + protocol.keyword();
            case Statement.Within(var field, var sense, var range) ->
                    field.text(family) + not(sense) + range(range);
            case Statement.NotThrough(String name) -> "iifname != \"" + name + "\"";
            case Statement.NotThroughPrefix(String prefix) -> "iifname != \"" + prefix + "*\"";
            case Statement.InSet(var key, var sense, String set) ->
                    key.text(family) + not(sense) + "@" + set;
            case Statement.Marked(int bit) -> "meta mark & " + mark(bit) + " == " + mark(bit);
            case Statement.Mark(int bit) -> "meta mark set meta mark | " + mark(bit);
            case Statement.Unmark(int bit) -> "meta mark set meta mark & " + mark(~bit);
            case Statement.VerdictFrom(var key, String map) -> key.text(family) + " vmap @" + map;
            case Statement.Take(var verdict) -> verdict(verdict);
            case Statement.DnatFrom(var key, String map) ->
                    "dnat " + ip + " to " + key.text(family) + " map @" + map;
            // As Endpoint prints: address:port, IPv6 in brackets.
            case Statement.DnatTo(Endpoint endpoint) -> "dnat to " + endpoint;
            case Statement.Masquerade _ -> "masquerade fully-random";
            case Statement.Reject _ -> "reject";
            case Statement.Remember(String set, int seconds) ->
                    "update @" + set + " { " + ip + " saddr timeout " + time(seconds) + " }";
        };
    }

    static String verdict(NftValue.Verdict verdict) {
        return switch (verdict) {
            case NftValue.Jump(String chain) -> "jump " + chain;
            case NftValue.Goto(String chain) -> "goto " + chain;
            case NftValue.Return _ -> "return";
            case NftValue.Continue _ -> "continue";
            case NftValue.Break _ -> "break";
            case NftValue.Accept _ -> "accept";
            case NftValue.Drop _ -> "drop";
        };
    }

    static String range(Cidr range) {
        return range.length() == range.family().bits() ? range.base().toString() : range.toString();
    }

    private static String not(Sense sense) {
        return switch (sense) {
            case IN -> " ";
            case NOT_IN -> " != ";
        };
    }

    private static String mark(int bits) {
        return String.format(Locale.ROOT, "0x%08x", bits);
    }

    private static String time(int seconds) {
        StringBuilder text = new StringBuilder();
        int rest = seconds;
        for (int i = 0; i < TIME_UNITS.length; i++) {
            if (rest >= TIME_SIZES[i]) {
                text.append(rest / TIME_SIZES[i]).append(TIME_UNITS[i]);
                rest %= TIME_SIZES[i];
            }
        }
        return text.toString();
    }
}
