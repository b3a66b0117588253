package dev.pointsman.nftables;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Protocol;
import dev.pointsman.netlink.NftExpression.Sense;
import dev.pointsman.netlink.NftValue;

/// One part of a rule. Those that match let only some packets go on to the next part.
sealed interface Statement {

    // What matches.

    /// The first packet of a connection.
    record NewConnection() implements Statement {}

    /// A packet of a connection whose destination is translated.
    record Translated() implements Statement {}

    /// Sent from an address of this node.
    record FromThisNode() implements Statement {}

    /// Sent to an address of this node.
    record ToThisNode() implements Statement {}

    /// Sent to an address of the interface that it came in by. Not for packets of the node itself:
    /// the kernel refuses a rule that these could meet.
    record ToItsInterface() implements Statement {}

    record ProtocolIs(Protocol protocol) implements Statement {}

    /// `field` is an address within `range`, or is not.
    record Within(Field.Packet field, Sense sense, Cidr range) implements Statement {}

    /// It came in by another interface than this one, or by none.
    record NotThrough(String name) implements Statement {}

    /// It came in by an interface whose name starts otherwise, or by none.
    record NotThroughPrefix(String prefix) implements Statement {}

    /// `key` is in the set, or is not.
    record InSet(Key key, Sense sense, String set) implements Statement {}

    /// The bit of the packet mark is set.
    record Marked(int bit) implements Statement {}

    // What acts.

    record Mark(int bit) implements Statement {}

    record Unmark(int bit) implements Statement {}

    /// Does with the packet what the map says for `key`; nothing if it says nothing.
    record VerdictFrom(Key key, String map) implements Statement {}

    record Take(NftValue.Verdict verdict) implements Statement {}

    /// Sends the connection to the endpoint that the map has for `key`; nothing if it has none.
    record DnatFrom(Key key, String map) implements Statement {}

    record DnatTo(Endpoint endpoint) implements Statement {}

    /// Gives the connection the node's address and a random port as its source.
    record Masquerade() implements Statement {}

    /// Answers that the port is unreachable.
    record Reject() implements Statement {}

    /// Keeps the sender's address in the set for some time from now on.
    record Remember(String set, int seconds) implements Statement {}
}
