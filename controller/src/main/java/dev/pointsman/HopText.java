package dev.pointsman;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Hop;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// One hop of a trace in words.
///
/// @param why the elements that made a rule match, or that it used
record HopText(String hook, String place, String text, String why, String change) {

    static HopText of(Hop hop) {
        return switch (hop) {
            case Hop.ByRule(
                            var hook,
                            var table,
                            var chain,
                            var rule,
                            var packet,
                            var found,
                            var changes) ->
                    new HopText(
                            hook.keyword(),
                            table + " " + chain,
                            "line " + rule.line() + ": " + rule.text(),
                            found.stream()
                                    .map(each -> found(each, packet))
                                    .collect(Collectors.joining("; ")),
                            changes.stream()
                                    .map(change -> change(change, packet))
                                    .collect(Collectors.joining(", ")));
            case Hop.ByPolicy(var hook, var table, var chain) ->
                    new HopText(hook.keyword(), table + " " + chain, "policy", "", "drop");
            case Hop.Routed(var packet, String device) ->
                    new HopText(
                            "routing",
                            "",
                            packet.destination().toString(),
                            "",
                            device.equals("here") ? "to the node itself" : "out by " + device);
            case Hop.ByVirtualServer(var hook, var server, var packet, var choice) ->
                    new HopText(
                            hook.keyword(),
                            "ipvs",
                            "line " + server.line() + ": " + VirtualServerText.of(server),
                            VirtualServerText.why(choice),
                            VirtualServerText.change(choice, packet));
            case Hop.Carried(var hook, var connection, _, var after) ->
                    new HopText(
                            hook.keyword(),
                            "ipvs",
                            "existing connection to virtual server "
                                    + VirtualServerText.of(connection.server()),
                            "",
                            "becomes " + after);
            case Hop.Followed(var hook, _, var after) ->
                    new HopText(
                            hook.keyword(),
                            "conntrack",
                            "existing connection",
                            "",
                            "becomes " + after);
        };
    }

    private static String found(Hop.Found found, Packet packet) {
        String key =
                found.element().key().stream()
                        .map(range -> spelt(range, packet))
                        .collect(Collectors.joining(" . "));
        return "element "
                + key
                + " of "
                + found.set()
                + (found.element().line() == 0 ? "" : ", line " + found.element().line());
    }

    /// Elements do not know what their fields are; the packet's own addresses can be told.
    private static String spelt(Range range, Packet packet) {
        for (IpAddress address : List.of(packet.source(), packet.destination())) {
            if (range.equals(Range.of(Value.of(address)))) {
                return address.toString();
            }
        }
        return range.toString();
    }

    private static String change(Hop.Change change, Packet packet) {
        return switch (change) {
            case Hop.Change.Marked(_, int to) -> "mark " + String.format("0x%x", to);
            case Hop.Change.ConnectionMarked(_, int to) ->
                    "connection mark " + String.format("0x%x", to);
            case Hop.Change.Destination(var address, int port) ->
                    "destination "
                            + packet.destination()
                            + ":"
                            + packet.destinationPort()
                            + " becomes "
                            + address
                            + ":"
                            + port;
            case Hop.Change.Source(var address, _) ->
                    "source " + packet.source() + " becomes " + address;
            case Hop.Change.Wrote(String set, _) -> "remembers the sender in " + set;
            case Hop.Change.Untracked _ -> "not tracked";
            case Hop.Change.Judged(var verdict) -> verdict(verdict);
        };
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Accept _ -> "accept";
            case Verdict.Drop _ -> "drop";
            case Verdict.Reject(var refusal) ->
                    "reject with " + refusal.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            case Verdict.Return _ -> "return";
            case Verdict.Continue _ -> "continue";
            case Verdict.Jump(String chain) -> "to " + chain;
            case Verdict.Goto(String chain) -> "to " + chain;
        };
    }

    /// All of it, for a line that ends in what happened.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(place.isEmpty() ? text + " -> " + change : place + ", " + text);
        if (!why.isEmpty()) {
            lines.add("  by " + why);
        }
        if (!place.isEmpty()) {
            lines.add("  -> " + change);
        }
        return lines;
    }
}
