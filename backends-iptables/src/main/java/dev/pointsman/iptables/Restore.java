package dev.pointsman.iptables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// One step of what `iptables-restore` does: in every table it is in place as a whole or not at
/// all.
public record Restore(Map<Table, Part> parts) {

    /// What is done in one table, in this order.
    ///
    /// @param cleared chains that are made, or emptied if they are there
    /// @param filled chains whose rules are written into them
    /// @param jumps rules that come into or go from chains that are not ours
    /// @param deleted chains that nothing leads to any more
    public record Part(
            List<Chain> cleared, List<Chain> filled, List<JumpChange> jumps, List<Chain> deleted) {
        public Part {
            cleared = List.copyOf(cleared);
            filled = List.copyOf(filled);
            jumps = List.copyOf(jumps);
            deleted = List.copyOf(deleted);
        }

        private boolean isEmpty() {
            return cleared.isEmpty() && jumps.isEmpty() && deleted.isEmpty();
        }

        private int size() {
            int rules = cleared.size() + jumps.size() + deleted.size();
            for (Chain chain : filled) {
                rules += chain.rules().size();
            }
            return rules;
        }
    }

    /// A jump, as it comes or goes.
    public sealed interface JumpChange {
        /// It comes.
        ///
        /// @param place counted from 1, where it shall stand
        record Insert(String from, String rule, int place) implements JumpChange {}

        /// It goes.
        record Delete(String from, String rule) implements JumpChange {}

        default String text() {
            return switch (this) {
                case Insert(var from, var rule, int place) ->
                        "-I " + from + " " + place + " " + rule;
                case Delete(var from, var rule) -> "-D " + from + " " + rule;
            };
        }
    }

    private static final Subject NODE = new Subject.Node();

    public Restore {
        Map<Table, Part> sorted = new EnumMap<>(Table.class);
        parts.forEach(
                (table, part) -> {
                    if (!part.isEmpty()) {
                        sorted.put(table, part);
                    }
                });
        parts = sorted;
    }

    /// Whether there is nothing to do.
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /// Chains, jumps and rules written or deleted.
    public int size() {
        return parts.values().stream().mapToInt(Part::size).sum();
    }

    /// The same as `restores` one after the other.
    static Restore joined(List<Restore> restores) {
        Map<Table, Part> parts = new EnumMap<>(Table.class);
        for (Restore restore : restores) {
            restore.parts.forEach((table, part) -> parts.merge(table, part, Restore::joined));
        }
        return new Restore(parts);
    }

    private static Part joined(Part first, Part second) {
        return new Part(
                joined(first.cleared, second.cleared),
                joined(first.filled, second.filled),
                joined(first.jumps, second.jumps),
                joined(first.deleted, second.deleted));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /// The input, line by line.
    public void lines(Consumer<Line> out) {
        parts.forEach(
                (table, part) -> {
                    out.accept(new Line("*" + table.keyword(), NODE));
                    for (Chain chain : part.cleared()) {
                        out.accept(new Line(":" + chain.name() + " - [0:0]", chain.subject()));
                    }
                    for (Chain chain : part.filled()) {
                        for (Rule rule : chain.rules()) {
                            out.accept(
                                    new Line(
                                            "-A " + chain.name() + " " + rule.text(),
                                            chain.subject()));
                        }
                    }
                    for (JumpChange jump : part.jumps()) {
                        out.accept(new Line(jump.text(), NODE));
                    }
                    for (Chain chain : part.deleted()) {
                        out.accept(new Line("-X " + chain.name(), chain.subject()));
                    }
                    out.accept(new Line("COMMIT", NODE));
                });
    }

    /// Prints the input.
    public void print(Appendable out) throws IOException {
        try {
            lines(
                    line -> {
                        try {
                            out.append(line.text()).append('\n');
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
