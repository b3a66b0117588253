package dev.pointsman.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.ServiceState;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterStateTest {
    private final ClusterState state = new ClusterState("node-a");

    @Test
    void a_service_and_its_slices_are_one_state_whichever_comes_first() {
        EndpointSlice second = Sample.slice("web-2", "web", "10.1.0.2");
        EndpointSlice first = Sample.slice("web-1", "web", "10.1.0.1");
        state.take(new ClusterEvent.SliceSeen(second));
        assertThat(state.hasChanges()).isFalse();
        state.take(new ClusterEvent.ServiceSeen(Sample.service("web", 1)));
        state.take(new ClusterEvent.SliceSeen(first));

        assertThat(state.drain().services()).containsExactly(Sample.name("web"));
        assertThat(state.state(Sample.name("web")))
                .isEqualTo(
                        new ServiceState.Present(Sample.service("web", 1), List.of(first, second)));
    }

    @Test
    void the_same_again_is_no_change() {
        Sample.cluster().forEach(state::take);
        state.take(new ClusterEvent.ServiceRangesSeen("k", List.of(Cidr.parse("10.96.0.0/16"))));
        state.drain();

        Sample.cluster().forEach(state::take);
        state.take(new ClusterEvent.ServiceRangesSeen("k", List.of(Cidr.parse("10.96.0.0/16"))));
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-b")));

        assertThat(state.hasChanges()).isFalse();
        assertThat(state.nodes()).containsExactly("node-a", "node-b");
    }

    @Test
    void a_slice_that_moves_to_another_service_changes_both() {
        state.take(new ClusterEvent.ServiceSeen(Sample.service("old", 1)));
        state.take(new ClusterEvent.ServiceSeen(Sample.service("new", 2)));
        state.take(new ClusterEvent.SliceSeen(Sample.slice("s", "old", "10.1.0.1")));
        state.drain();

        state.take(new ClusterEvent.SliceSeen(Sample.slice("s", "new", "10.1.0.1")));

        assertThat(state.drain().services())
                .containsExactly(Sample.name("new"), Sample.name("old"));
        assertThat(state.state(Sample.name("old")))
                .isEqualTo(new ServiceState.Present(Sample.service("old", 1), List.of()));
    }

    @Test
    void slices_outlive_their_service() {
        Sample.cluster().forEach(state::take);
        state.take(new ClusterEvent.ServiceGone(Sample.name("web")));
        assertThat(state.state(Sample.name("web")))
                .isEqualTo(new ServiceState.Absent(Sample.name("web")));

        state.take(new ClusterEvent.ServiceSeen(Sample.service("web", 1)));
        assertThat(state.all()).hasSize(1);
        assertThat(state.all().getFirst().slices()).hasSize(2);
    }

    @Test
    void own_node_and_service_ranges_reach_every_service_and_other_nodes_none() {
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-b")));
        assertThat(state.hasChanges()).isFalse();
        assertThat(state.node()).isEmpty();

        state.take(new ClusterEvent.NodeSeen(Sample.node("node-a")));
        assertThat(state.drain().reach()).isEqualTo(Changes.Reach.WHOLE_NODE);
        state.take(new ClusterEvent.NodeSeen(new NodeView("node-a", "z", List.of(), List.of())));
        assertThat(state.drain().reach()).isEqualTo(Changes.Reach.WHOLE_NODE);
        state.take(new ClusterEvent.ServiceRangesSeen("k", List.of(Cidr.parse("10.96.0.0/16"))));
        assertThat(state.drain().reach()).isEqualTo(Changes.Reach.WHOLE_NODE);
        assertThat(state.serviceRanges()).containsExactly(Cidr.parse("10.96.0.0/16"));
        state.take(new ClusterEvent.ServiceRangesGone("k"));
        assertThat(state.drain().reach()).isEqualTo(Changes.Reach.WHOLE_NODE);
    }

    @Test
    void own_node_is_remembered_when_its_object_goes() {
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-a")));
        state.take(new ClusterEvent.NodeGone("node-a"));
        assertThat(state.node()).contains(Sample.node("node-a"));
        assertThat(state.nodes()).isEmpty();
    }

    @Test
    void nothing_is_left_of_100_000_deleted_services() {
        for (int i = 0; i < 100_000; i++) {
            String name = "s" + i;
            ClusterEvent service = new ClusterEvent.ServiceSeen(Sample.service(name, 1));
            ClusterEvent slice =
                    new ClusterEvent.SliceSeen(Sample.slice(name + "-1", name, "10.1.0.1"));
            state.take(i % 2 == 0 ? service : slice);
            state.take(i % 2 == 0 ? slice : service);
            ClusterEvent serviceGone = new ClusterEvent.ServiceGone(Sample.name(name));
            ClusterEvent sliceGone = new ClusterEvent.SliceGone("shop", name + "-1");
            state.take(i % 3 == 0 ? serviceGone : sliceGone);
            state.take(i % 3 == 0 ? sliceGone : serviceGone);
            state.drain();
        }
        assertThat(state.footprint()).isZero();
        assertThat(state.hasChanges()).isFalse();
    }

    @Test
    void the_outlook_of_a_node_changes_no_rule() {
        assertThat(state.outlook()).isEmpty();
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-a")));
        state.drain();
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-a"), Outlook.BEING_DELETED));
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-b"), Outlook.TO_BE_TAKEN_DOWN));
        assertThat(state.hasChanges()).isFalse();
        assertThat(state.outlook()).contains(Outlook.BEING_DELETED);
        state.take(new ClusterEvent.NodeGone("node-a"));
        assertThat(state.outlook()).contains(Outlook.BEING_DELETED);
        state.take(new ClusterEvent.NodeSeen(Sample.node("node-a")));
        assertThat(state.outlook()).contains(Outlook.STAYS);
    }
}
