package dev.pointsman.iptables;

import java.util.List;

/// A chain of ours with all its rules.
record Chain(Key key, List<Rule> rules, Subject subject) {

    /// What tells one chain from the others.
    record Key(Table table, String name) {}

    Chain {
        rules = List.copyOf(rules);
        if (key.name().length() > ChainNames.LONGEST) {
            throw new IllegalArgumentException("iptables takes no chain name like " + key.name());
        }
    }

    static Chain of(Table table, String name, List<Rule> rules, Subject subject) {
        return new Chain(new Key(table, name), rules, subject);
    }

    Table table() {
        return key.table();
    }

    String name() {
        return key.name();
    }
}
