package dev.pointsman.iptables;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The chains and jumps that the tables hold, or the part of them that a change is about. A chain
/// comes after those that it leads to.
public final class Contents {
    private final Map<Chain.Key, Chain> chains = new LinkedHashMap<>();
    private final List<Jump> jumps = new ArrayList<>();

    Map<Chain.Key, Chain> chains() {
        return Collections.unmodifiableMap(chains);
    }

    /// Jumps into our chains, in their order.
    List<Jump> jumps() {
        return Collections.unmodifiableList(jumps);
    }

    public void add(Chain chain) {
        chains.putIfAbsent(chain.key(), chain);
    }

    public void add(Jump jump) {
        jumps.add(jump);
    }
}
