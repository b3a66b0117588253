package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Rulesets with chains that somebody vouches for.
public final class Opaque {
    private Opaque() {}

    /// `rules`, every chain called `chain` being taken for one that changes no packet.
    ///
    /// @throws IllegalArgumentException when no table has such a chain
    public static Ruleset assuming(Ruleset rules, String chain) {
        List<Table> tables = new ArrayList<>();
        boolean found = false;
        for (Table table : rules.tables()) {
            SequencedMap<String, Chain> chains = new LinkedHashMap<>(table.chains());
            Chain emptied =
                    chains.computeIfPresent(
                            chain, (_, old) -> new Chain(chain, old.attachment(), List.of()));
            found |= emptied != null;
            tables.add(new Table(table.scope(), table.name(), chains, table.sets()));
        }
        if (!found) {
            throw new IllegalArgumentException("the rules have no chain " + chain);
        }
        return rules.with(tables);
    }
}
