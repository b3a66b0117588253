package dev.pointsman.nftables;

import dev.pointsman.netlink.NftElement;

/// One change of the table `pointsman`. Printed by [Script] and encoded by [Encoding].
sealed interface Operation {
    Subject subject();

    record AddTable(Subject subject) implements Operation {}

    record DeleteTable(Subject subject) implements Operation {}

    record AddSet(NamedSet set, Subject subject) implements Operation {}

    record DeleteSet(String name, Subject subject) implements Operation {}

    /// Adds the chain without its rules.
    record AddChain(Chain chain, Subject subject) implements Operation {}

    record DeleteChain(String name, Subject subject) implements Operation {}

    /// Deletes the rules of the chain.
    record FlushChain(String name, Subject subject) implements Operation {}

    /// Adds a rule at the end of the chain.
    record AddRule(String chain, Rule rule, Subject subject) implements Operation {}

    record AddElement(NamedSet set, NftElement content, Subject subject) implements Operation {}

    record DeleteElement(NamedSet set, NftElement content, Subject subject) implements Operation {}
}
