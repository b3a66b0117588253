package dev.pointsman.packet.netfilter;

import java.util.List;

/// Rules, asked one after the other.
public record Chain(String name, Attachment attachment, List<Rule> rules) {

    /// Who calls it.
    public sealed interface Attachment {
        /// Other chains.
        record Called() implements Attachment {}

        /// The kernel: a base chain.
        record Hooked(Type type, Hook hook, int priority, Policy policy) implements Attachment {}
    }

    public enum Type {
        FILTER,
        /// Asked for the first packet of a connection only.
        NAT,
        /// In output: routes again if it changed the packet or its mark.
        ROUTE
    }

    /// What becomes of packets that no rule judges.
    public enum Policy {
        ACCEPT,
        DROP
    }

    public Chain {
        rules = List.copyOf(rules);
    }
}
