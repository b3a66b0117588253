package dev.pointsman.nftables;

import dev.pointsman.netlink.NftChain;
import java.util.Arrays;
import java.util.List;

/// A chain of ours with its rules.
record Chain(String name, NftChain.Hook hook, List<Rule> rules) {
    Chain {
        rules = List.copyOf(rules);
    }

    /// A chain that other rules send packets to.
    static Chain of(String name, Rule... rules) {
        return of(name, Arrays.asList(rules));
    }

    static Chain of(String name, List<Rule> rules) {
        return new Chain(name, new NftChain.Hook.None(), rules);
    }

    /// A chain that the kernel sends packets to.
    static Chain hooked(String name, String type, int hook, int priority, Rule... rules) {
        return new Chain(
                name,
                new NftChain.Hook.Base(type, hook, priority, NftChain.Policy.ACCEPT),
                Arrays.asList(rules));
    }
}
