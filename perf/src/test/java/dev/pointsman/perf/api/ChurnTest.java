package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.perf.ClusterObjects;
import dev.pointsman.perf.ClusterShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ChurnTest {
    private static final int ENDPOINTS = 7;
    private static final ClusterObjects CLUSTER =
            new ClusterObjects(new ClusterShape(5, ENDPOINTS));

    private final Store store = new Store();
    private final Churn churn = new Churn(CLUSTER.all(), store::get);

    ChurnTest() {
        CLUSTER.all().forEach(store::put);
    }

    /// How many endpoints each object has.
    private Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new HashMap<>();
        for (Kind kind : Kind.values()) {
            store.state()
                    .of(kind)
                    .latest()
                    .objects()
                    .forEach(
                            (key, object) ->
                                    sizes.put(
                                            kind + " " + key,
                                            object.tree().path("endpoints").size()));
        }
        return sizes;
    }

    @Test
    void a_cluster_at_rest_is_as_large_as_it_was() {
        Map<String, Integer> before = sizes();
        List<Map<String, Integer>> between = new ArrayList<>();
        for (int write = 0; write < 2000 || !churn.atRest(); write++) {
            store.write(churn.next());
            between.add(sizes());
        }
        assertThat(between.getLast()).isEqualTo(before);
        // Surges, pods that are gone, Services that are gone.
        assertThat(between).anySatisfy(sizes -> assertThat(sizes).containsValue(ENDPOINTS + 2));
        assertThat(between)
                .anySatisfy(
                        sizes ->
                                assertThat(sizes)
                                        .containsEntry("ENDPOINT_SLICE bench-1/service-1-0", 0));
        assertThat(between).anySatisfy(sizes -> assertThat(sizes).hasSize(before.size() - 1));
    }

    private Set<String> addresses(ObjectName slice) {
        return store.get(slice)
                .path("endpoints")
                .valueStream()
                .map(pod -> pod.path("addresses").path(0).asString())
                .collect(Collectors.toSet());
    }

    /// Nothing else makes a slice larger than it was.
    private static boolean isSurge(Write write) {
        return write instanceof Write.Replace(var object)
                && object.path("endpoints").size() > ENDPOINTS;
    }

    @Test
    void a_rolling_update_replaces_every_pod() {
        Write next = churn.next();
        while (!isSurge(next)) {
            store.write(next);
            next = churn.next();
        }
        ObjectName slice = ObjectName.of(((Write.Replace) next).object());
        Set<String> before = addresses(slice);
        store.write(next);
        while (!churn.atRest()) {
            store.write(churn.next());
        }
        assertThat(addresses(slice)).hasSize(ENDPOINTS).doesNotContainAnyElementsOf(before);
    }

    @Test
    void every_write_changes_something() {
        for (int write = 0; write < 2000; write++) {
            long before = store.version();
            assertThat(store.write(churn.next())).isGreaterThan(before);
        }
    }

    @Test
    void it_is_always_the_same() {
        Store other = new Store();
        CLUSTER.all().forEach(other::put);
        Churn again = new Churn(CLUSTER.all(), other::get);
        for (int write = 0; write < 200; write++) {
            Write next = churn.next();
            assertThat(again.next()).isEqualTo(next);
            store.write(next);
            other.write(next);
        }
    }

    @Test
    void it_is_played_until_it_is_at_rest() throws Exception {
        List<Write> played = new ArrayList<>();
        int writes =
                churn.play(
                        write -> {
                            played.add(write);
                            store.write(write);
                        },
                        Duration.ofMillis(20),
                        1000);
        assertThat(played).hasSize(writes).isNotEmpty();
        assertThat(churn.atRest()).isTrue();
    }

    @Test
    void what_has_no_endpoints_cannot_churn() {
        Stream<ObjectNode> bare = new ClusterObjects(new ClusterShape(3, 0)).all();
        assertThatThrownBy(() -> new Churn(bare, store::get)).hasMessageContaining("cannot churn");
    }
}
