package dev.pointsman.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RelistTest {
    @Test
    void what_the_new_list_lacks_is_gone() {
        ClusterState state = new ClusterState("node-a");
        List<ClusterEvent> before = Sample.cluster();
        before.forEach(state::take);
        List<ClusterEvent> after =
                List.of(
                        new ClusterEvent.NodeSeen(Sample.node("node-a")),
                        new ClusterEvent.ServiceSeen(Sample.service("web", 2)));

        Relist.between(before, after).forEach(state::take);

        ClusterState fresh = new ClusterState("node-a");
        after.forEach(fresh::take);
        assertThat(state.all()).isEqualTo(fresh.all());
        assertThat(state.footprint()).isEqualTo(fresh.footprint());
    }

    @Test
    void an_object_whose_content_changed_is_not_gone_in_between() {
        assertThat(
                        Relist.between(
                                List.of(new ClusterEvent.ServiceSeen(Sample.service("web", 1))),
                                List.of(new ClusterEvent.ServiceSeen(Sample.service("web", 2)))))
                .containsExactly(new ClusterEvent.ServiceSeen(Sample.service("web", 2)));
    }
}
