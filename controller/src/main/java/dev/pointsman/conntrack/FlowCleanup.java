package dev.pointsman.conntrack;

import dev.pointsman.graph.ExpectedFlows;
import java.util.List;

/// Brings the UDP flows of a node to where they belong.
public interface FlowCleanup {

    /// How a clean-up went.
    sealed interface Result {
        /// None is left, but for what the remarks say.
        ///
        /// @param listed UDP flows that were looked at
        /// @param deleted those that were stale
        /// @param remarks what an operator should know beside that
        record Cleaned(long listed, long deleted, List<String> remarks) implements Result {
            public Cleaned {
                remarks = List.copyOf(remarks);
            }
        }

        /// Stale flows may be left.
        record Failed(String reason) implements Result {}
    }

    /// Deletes the flows that are stale by now, and no other. The kernel must hold the rules that
    /// `flows` come from: a client's next packet makes a new flow by them.
    Result clean(ExpectedFlows flows);
}
