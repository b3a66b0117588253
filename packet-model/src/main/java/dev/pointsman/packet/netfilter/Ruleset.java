package dev.pointsman.packet.netfilter;

import java.util.ArrayList;
import java.util.List;

/// Everything that a node's kernel was told about packets, as far as it was read.
///
/// @param tables in the order in which they were made
/// @param unread what no path through this ruleset can account for
public record Ruleset(List<Table> tables, IpvsTable ipvs, List<Unread> unread) {

    /// Something that can touch packets and is not modelled, such as a chain at an ingress hook.
    public record Unread(int line, String text) {}

    public Ruleset {
        tables = List.copyOf(tables);
        unread = List.copyOf(unread);
    }

    /// Without virtual servers.
    public Ruleset(List<Table> tables, List<Unread> unread) {
        this(tables, IpvsTable.NONE, unread);
    }

    /// The same kernel with other tables.
    public Ruleset with(List<Table> others) {
        return new Ruleset(others, ipvs, unread);
    }

    /// The same kernel with another table of IPVS.
    public Ruleset with(IpvsTable other) {
        return new Ruleset(tables, other, unread);
    }

    /// Both, `other` being the younger.
    public Ruleset and(Ruleset other) {
        List<Table> both = new ArrayList<>(tables);
        both.addAll(other.tables);
        List<Unread> bothUnread = new ArrayList<>(unread);
        bothUnread.addAll(other.unread);
        return new Ruleset(both, ipvs.and(other.ipvs), bothUnread);
    }

    /// Without what expires: what packets left in sets, such as the clients of sticky Services.
    public Ruleset lasting() {
        return with(tables.stream().map(Table::lasting).toList());
    }
}
