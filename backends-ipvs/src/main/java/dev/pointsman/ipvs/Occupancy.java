package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.iptables.Subject;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// How many members our sets have, so that one that would become too full is known before the
/// kernel has half of a change and refuses the rest (ipset(8): `maxelem`).
///
/// A member that is added although it is there counts twice until the next [#read]: an error that
/// matters only near the limit.
final class Occupancy {
    private final Family family;
    private final int capacity;
    private Map<ServiceSet, Integer> members = new EnumMap<>(ServiceSet.class);

    /// @param capacity how many members a set takes
    Occupancy(Family family, int capacity) {
        this.family = family;
        this.capacity = capacity;
    }

    /// Counts what the kernel was found to hold.
    void read(Found found) {
        members.clear();
        found.sets()
                .forEach(
                        (set, is) -> {
                            if (is instanceof Found.FoundSet.Ours(var all, int foreign)) {
                                members.put(set, all.size() + foreign);
                            }
                        });
    }

    /// Counts `operations` as done, in their order; or, when a set has no room for all of them,
    /// leaves the count as it is and tells whose members have none.
    Optional<Commit.Refused> take(Collection<Operation> operations) {
        Map<ServiceSet, Integer> after = new EnumMap<>(ServiceSet.class);
        after.putAll(members);
        SortedSet<ServiceSet> full = new TreeSet<>();
        SortedSet<ServiceName> without = new TreeSet<>();
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.CreateSet(var set) -> after.put(set, 0);
                case Operation.DestroySet(var set) -> after.remove(set);
                case Operation.DeleteMember(var set, _, _) -> after.merge(set, -1, Integer::sum);
                case Operation.AddMember add -> add(add, after, full, without);
                case Operation.ReplaceSet(var set, var all) -> {
                    after.put(set, 0);
                    all.forEach(add -> add(add, after, full, without));
                }
                default -> {}
            }
        }
        if (full.isEmpty()) {
            members = after;
            return Optional.empty();
        }
        return Optional.of(refusal(full.first(), without));
    }

    private void add(
            Operation.AddMember add,
            Map<ServiceSet, Integer> after,
            Collection<ServiceSet> full,
            Collection<ServiceName> without) {
        if (after.merge(add.set(), 1, Integer::sum) <= capacity) {
            return;
        }
        full.add(add.set());
        if (add.subject() instanceof Subject.Service(var name)) {
            without.add(name);
        }
    }

    private Commit.Refused refusal(ServiceSet set, SortedSet<ServiceName> without) {
        return new Commit.Refused(
                "ipset " + set.name(family),
                "it takes "
                        + capacity
                        + " members and would get more; fewer Services, addresses or source"
                        + " ranges are needed, or mode nftables, which has no such limit",
                without);
    }
}
