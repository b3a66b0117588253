package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Family;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;

/// Chains and the sets they name.
public record Table(
        Scope scope,
        String name,
        SequencedMap<String, Chain> chains,
        SequencedMap<String, NamedSet> sets) {

    /// Which packets it sees.
    public enum Scope {
        IP,
        IP6,
        INET;

        public String keyword() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean covers(Family family) {
            return switch (this) {
                case IP -> family == Family.IPV4;
                case IP6 -> family == Family.IPV6;
                case INET -> true;
            };
        }
    }

    public Table {
        chains = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(chains));
        sets = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(sets));
    }

    /// Family and name.
    public String title() {
        return scope.keyword() + " " + name;
    }

    Table lasting() {
        SequencedMap<String, NamedSet> kept = new LinkedHashMap<>();
        sets.forEach((key, set) -> kept.put(key, set.lasting()));
        return new Table(scope, name, chains, kept);
    }
}
