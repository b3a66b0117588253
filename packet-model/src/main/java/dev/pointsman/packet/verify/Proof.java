package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Path;
import java.util.List;

/// What a [Verifier] found out.
///
/// @param targets destinations looked at: address, protocol and port
/// @param classes classes of flows, each looked at through one of them
/// @param doubts what was met and not understood, and so may do anything
public record Proof(
        int targets, long classes, List<Disagreement> disagreements, List<Path.Note> doubts) {
    public Proof {
        disagreements = List.copyOf(disagreements);
        doubts = List.copyOf(doubts);
    }

    /// What it says and what it does not say.
    public static final List<String> LIMITS =
            List.of(
                    "A class is all flows that neither intent nor any rule tells apart; one of"
                            + " each was followed, every chance counted.",
                    "Looked at: first packets over TCP, UDP and SCTP, and for client affinity the"
                            + " second connection; each with one source port that no rule names.",
                    "Assumed, unless the node's addresses, routes and settings are given: pods of"
                            + " the Node's ranges are behind one interface, everybody else is"
                            + " behind the uplink, forwarding is on.",
                    "Of IPVS (docs/backends/ipvs.md lists what it cannot express): schedulers are"
                            + " taken by the shares that they give; clients may be bound to an"
                            + " endpoint at each address of a Service by itself; at ports without a"
                            + " Service the addresses that it needs on the node may refuse or drop,"
                            + " and health checks answer.",
                    "Left out: other protocols, fragments, conntrack zones and helpers, policy"
                            + " routing, reverse path filtering, bridged packets, load.");
}
