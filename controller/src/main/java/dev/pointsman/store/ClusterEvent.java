package dev.pointsman.store;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import java.time.Instant;
import java.util.List;

/// One fact about the cluster.
public sealed interface ClusterEvent {
    /// A Service that this proxy serves, as it now is.
    record ServiceSeen(Service service) implements ClusterEvent {}

    /// The Service is deleted, or is none of ours any more (headless, another proxy's, unreadable).
    record ServiceGone(ServiceName name) implements ClusterEvent {}

    /// An EndpointSlice as it now is.
    ///
    /// @param trigger when what it shows came about, [#UNSAID] where it does not say
    record SliceSeen(EndpointSlice slice, Instant trigger) implements ClusterEvent {
        /// Long before any cluster.
        public static final Instant UNSAID = Instant.MIN;

        /// A slice that does not say.
        public SliceSeen(EndpointSlice slice) {
            this(slice, UNSAID);
        }
    }

    /// The slice is deleted, or is none of ours any more. Slice names are unique within a
    /// namespace.
    record SliceGone(String namespace, String name) implements ClusterEvent {}

    /// A Node as it now is.
    record NodeSeen(NodeView node, Outlook outlook) implements ClusterEvent {
        /// A Node that stays.
        public NodeSeen(NodeView node) {
            this(node, Outlook.STAYS);
        }
    }

    record NodeGone(String name) implements ClusterEvent {}

    /// A ServiceCIDR object as it now is.
    record ServiceRangesSeen(String name, List<Cidr> ranges) implements ClusterEvent {
        public ServiceRangesSeen {
            ranges = List.copyOf(ranges);
        }
    }

    record ServiceRangesGone(String name) implements ClusterEvent {}
}
