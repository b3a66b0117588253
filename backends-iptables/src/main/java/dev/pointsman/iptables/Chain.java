package dev.pointsman.iptables;

import java.util.List;

/// A chain of ours with all its rules.
public record Chain(Key key, List<Rule> rules, Subject subject) {

    /// What tells one chain from the others.
    public record Key(Table table, String name) {}

    public Chain {
        rules = List.copyOf(rules);
        if (key.name().length() > ChainNames.LONGEST) {
            throw new IllegalArgumentException("iptables takes no chain name like " + key.name());
        }
    }

    /// A chain of `table`.
    public static Chain of(Table table, String name, List<Rule> rules, Subject subject) {
        return new Chain(new Key(table, name), rules, subject);
    }

    Table table() {
        return key.table();
    }

    String name() {
        return key.name();
    }
}
