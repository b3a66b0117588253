package dev.pointsman.sync;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.store.Changes;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;

/// What the loop tells health and metrics, on its own thread. What operators read is a
/// [SyncReport].
public sealed interface SyncNote {

    /// A fact about the cluster was taken in.
    record Arrived(ClusterEvent event) implements SyncNote {}

    /// No fact taken in waits to be planned any more.
    record NothingWaits() implements SyncNote {}

    /// What is known of this machine's Node.
    record OwnNode(Outlook outlook) implements SyncNote {}

    /// The kernel may lack something.
    ///
    /// @param since on the loop's clock
    record Queued(Family family, long since) implements SyncNote {}

    /// The kernel answered a transaction.
    record Answered(
            Family family,
            SyncReport.Cause cause,
            Transaction transaction,
            Commit answer,
            Duration took)
            implements SyncNote {}

    /// The kernel holds `graph`, and nothing is queued for the family.
    ///
    /// @param conflicts how many Frontends are claimed more than once
    record Settled(Family family, RuleGraph graph, SortedSet<ServiceName> setAside, int conflicts)
            implements SyncNote {
        public Settled {
            setAside = Collections.unmodifiableSortedSet(setAside);
        }
    }

    /// The kernel holds what came about at these times, by the word of the slices that showed it.
    record Programmed(Family family, List<Instant> triggers) implements SyncNote {
        public Programmed {
            triggers = List.copyOf(triggers);
        }
    }

    /// A sync ended, well or not.
    ///
    /// @param reach whether all was compared with the kernel, or what changed was written
    record Ran(Family family, Changes.Reach reach, Duration took) implements SyncNote {}
}
