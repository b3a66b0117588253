package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Table;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ipsets of a node, by name.
public record Ipsets(SortedMap<String, Ipset> sets) {
    public static final Ipsets NONE = new Ipsets(new TreeMap<>());

    /// One of them.
    public sealed interface Ipset {
        /// One that was understood.
        ///
        /// @param scope of whose packets it has addresses; INET for ports alone
        /// @param fields what the directions of a rule, `src,dst`, choose between
        record Understood(Table.Scope scope, List<Field> fields, NamedSet set) implements Ipset {
            public Understood {
                fields = List.copyOf(fields);
            }
        }

        /// One that is not modelled; rules that use it are not trusted.
        record Opaque(String why) implements Ipset {}
    }

    /// What an element is made of.
    public enum Field {
        ADDRESS,
        /// Protocol and port.
        PORT,
        /// A port of whichever protocol.
        BARE_PORT,
        INTERFACE,
        MARK
    }

    public Ipsets {
        sets = Collections.unmodifiableSortedMap(new TreeMap<>(sets));
    }
}
