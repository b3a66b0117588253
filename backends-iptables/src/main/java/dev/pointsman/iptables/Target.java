package dev.pointsman.iptables;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;

/// What becomes of a packet that meets the conditions of a rule.
public sealed interface Target {
    /// It goes through `chain` and comes back if nothing there decides.
    record Jump(String chain) implements Target {}

    /// It leaves the chain.
    record Return() implements Target {}

    /// The table is done with it.
    record Accept() implements Target {}

    record Drop() implements Target {}

    /// Refused with ICMP port unreachable.
    record Reject(Family family) implements Target {}

    record Dnat(Endpoint to) implements Target {}

    /// Translated to another address; the port stays.
    record DnatKeepingPort(IpAddress to) implements Target {}

    record Masquerade(Capabilities.RandomFully ports) implements Target {}

    record SetMark(int mark) implements Target {}

    /// Takes a mark away that is known to be there.
    record FlipMark(int mark) implements Target {}

    default String text() {
        return switch (this) {
            case Jump(var chain) -> "-j " + chain;
            case Return() -> "-j RETURN";
            case Accept() -> "-j ACCEPT";
            case Drop() -> "-j DROP";
            case Reject(var family) ->
                    switch (family) {
                        case IPV4 -> "-j REJECT --reject-with icmp-port-unreachable";
                        case IPV6 -> "-j REJECT --reject-with icmp6-port-unreachable";
                    };
            case Dnat(var to) -> "-j DNAT --to-destination " + to;
            case DnatKeepingPort(var to) -> "-j DNAT --to-destination " + to;
            case Masquerade(var ports) ->
                    switch (ports) {
                        case AVAILABLE -> "-j MASQUERADE --random-fully";
                        case MISSING -> "-j MASQUERADE";
                    };
            // Flags as iptables-save prints --or-mark and --xor-mark.
            case SetMark(int mark) ->
                    "-j MARK --set-xmark " + Match.hex(mark) + "/" + Match.hex(mark);
            case FlipMark(int mark) -> "-j MARK --set-xmark " + Match.hex(mark) + "/0x0";
        };
    }
}
