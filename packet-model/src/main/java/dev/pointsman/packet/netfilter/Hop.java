package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.IpAddress;
import java.util.List;

/// One thing that happened to a packet on its way.
public sealed interface Hop {

    /// A rule matched and did something.
    ///
    /// @param packet as the rule saw it
    /// @param found the elements that its look-ups found, which is why it matched or what it used
    /// @param changes what it did, a verdict last
    record ByRule(
            Hook hook,
            String table,
            String chain,
            Rule rule,
            Packet packet,
            List<Found> found,
            List<Change> changes)
            implements Hop {
        public ByRule {
            found = List.copyOf(found);
            changes = List.copyOf(changes);
        }
    }

    /// A base chain ended without a verdict of a rule, and its policy was to drop.
    record ByPolicy(Hook hook, String table, String chain) implements Hop {}

    /// Routing decided where it goes on, a device's name or `here`.
    record Routed(Packet packet, String device) implements Hop {}

    /// The binding of an existing connection was applied.
    record Followed(Hook hook, Packet before, Packet after) implements Hop {}

    /// A virtual server of IPVS took it.
    ///
    /// @param packet as IPVS saw it
    record ByVirtualServer(Hook hook, VirtualServer server, Packet packet, Choice choice)
            implements Hop {}

    /// It belongs to a connection that IPVS knows, and was translated as the others of it.
    record Carried(Hook hook, ServerConnection connection, Packet before, Packet after)
            implements Hop {}

    /// Whom a virtual server chose.
    sealed interface Choice {
        /// One of those that the scheduler could have chosen.
        ///
        /// @param port where it is sent to there
        /// @param among how many they are
        record Scheduled(VirtualServer.RealServer server, int port, int among) implements Choice {}

        /// The one that the client keeps.
        record Kept(VirtualServer.RealServer server, int port) implements Choice {}

        record Nobody() implements Choice {}
    }

    /// An element of a named set.
    record Found(String set, Element element) {}

    /// What a rule did.
    sealed interface Change {
        record Marked(int from, int to) implements Change {}

        record ConnectionMarked(int from, int to) implements Change {}

        record Destination(IpAddress address, int port) implements Change {}

        record Source(IpAddress address, int port) implements Change {}

        record Wrote(String set, List<Value> key) implements Change {
            public Wrote {
                key = List.copyOf(key);
            }
        }

        record Untracked() implements Change {}

        record Judged(Verdict verdict) implements Change {}
    }
}
