package dev.pointsman.nftables;

import dev.pointsman.netlink.NftValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Statements that a packet meets in order until one of them does not match.
record Rule(List<Statement> statements) {
    Rule {
        statements = List.copyOf(statements);
    }

    static Rule of(Statement... statements) {
        return new Rule(Arrays.asList(statements));
    }

    /// `conditions` before `rest`.
    static Rule of(List<Statement> conditions, Statement... rest) {
        return new Rule(Stream.concat(conditions.stream(), Arrays.stream(rest)).toList());
    }

    /// The sets and maps that the rule looks into or writes.
    Stream<String> sets() {
        return statements.stream().flatMap(statement -> set(statement).stream());
    }

    /// The chains that the rule itself sends packets to.
    Stream<String> targets() {
        return statements.stream()
                .flatMap(
                        statement ->
                                statement instanceof Statement.Take(var verdict)
                                        ? target(verdict).stream()
                                        : Stream.empty());
    }

    /// The chain that a verdict sends packets to.
    static Optional<String> target(NftValue value) {
        return switch (value) {
            case NftValue.Jump(String chain) -> Optional.of(chain);
            case NftValue.Goto(String chain) -> Optional.of(chain);
            case NftValue.None _,
                    NftValue.Data _,
                    NftValue.Return _,
                    NftValue.Continue _,
                    NftValue.Break _,
                    NftValue.Accept _,
                    NftValue.Drop _ ->
                    Optional.empty();
        };
    }

    private static Optional<String> set(Statement statement) {
        return switch (statement) {
            case Statement.InSet(_, _, String set) -> Optional.of(set);
            case Statement.VerdictFrom(_, String map) -> Optional.of(map);
            case Statement.DnatFrom(_, String map) -> Optional.of(map);
            case Statement.Remember(String set, _) -> Optional.of(set);
            case Statement.NewConnection _,
                    Statement.Translated _,
                    Statement.FromThisNode _,
                    Statement.ToThisNode _,
                    Statement.ToItsInterface _,
                    Statement.ProtocolIs _,
                    Statement.Within _,
                    Statement.NotThrough _,
                    Statement.NotThroughPrefix _,
                    Statement.Marked _,
                    Statement.Mark _,
                    Statement.Unmark _,
                    Statement.Take _,
                    Statement.DnatTo _,
                    Statement.Masquerade _,
                    Statement.Reject _ ->
                    Optional.empty();
        };
    }
}
