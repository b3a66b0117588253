package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StoreTest {
    private static final int WRITERS = 4;
    private static final int WRITES = 500;

    private final Store store = new Store();

    @Test
    void each_write_has_a_version_of_its_own_and_one_that_changes_nothing_has_none() {
        long first = store.put(Shop.web());
        assertThat(store.put(Shop.slice("web", "10.128.0.10"))).isEqualTo(first + 1);
        assertThat(store.put(Shop.web())).isEqualTo(first);
        assertThat(store.version()).isEqualTo(first + 1);
        assertThat(store.delete(Kind.SERVICE, "shop", "web")).isEqualTo(first + 2);
        assertThat(store.put(Shop.web())).isEqualTo(first + 3);
    }

    @Test
    void an_object_is_given_back_as_it_was_written_with_its_version() {
        ObjectNode written = Shop.web("tier=front");
        written.withObject("/metadata").put("resourceVersion", "12");
        long version = store.put(written);
        ObjectNode kept = store.get(new ObjectName(Kind.SERVICE, "shop", "web"));
        written.withObject("/metadata").put("resourceVersion", String.valueOf(version));
        assertThat(kept).isEqualTo(written);
    }

    @Test
    void writers_at_once_lose_nothing() {
        Set<Long> versions = new ConcurrentSkipListSet<>();
        Moment start = store.state().of(Kind.SERVICE).latest();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int writer = 0; writer < WRITERS; writer++) {
                String name = "web-" + writer;
                writers.execute(
                        () -> {
                            for (int write = 0; write < WRITES; write++) {
                                versions.add(
                                        store.put(
                                                Shop.service(
                                                        name,
                                                        "\"type\": \"ClusterIP\"",
                                                        "write=" + write)));
                            }
                        });
            }
        }
        assertThat(versions).hasSize(WRITERS * WRITES).contains(store.version());
        int told = 0;
        for (Moment at = start; at.next().isDone(); at = at.next().join()) {
            assertThat(at.next().join().version()).isEqualTo(at.version() + 1);
            told++;
        }
        assertThat(told).isEqualTo(WRITERS * WRITES);
    }

    @Test
    void what_happened_long_ago_is_forgotten() throws Exception {
        long before = store.version();
        for (int write = 0; write < 20_000; write++) {
            store.put(Shop.web("write=" + write));
        }
        History history = store.state().of(Kind.SERVICE);
        assertThatThrownBy(() -> history.at(before)).isInstanceOf(Refusal.class);
        assertThat(history.at(store.version() - 10_000).version())
                .isEqualTo(store.version() - 10_000);
    }

    @Test
    void what_is_not_there_cannot_be_deleted() {
        assertThatThrownBy(() -> store.delete(Kind.NODE, "", "worker-1"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("Node worker-1");
    }

    @Test
    void other_kinds_and_objects_without_a_name_are_refused() {
        ObjectNode pod = Shop.node("worker-1", "a").put("kind", "Pod");
        assertThatThrownBy(() -> store.put(pod)).hasMessageContaining("\"Pod\"");
        ObjectNode nowhere = Shop.web();
        nowhere.withObject("/metadata").remove(List.of("namespace"));
        assertThatThrownBy(() -> store.put(nowhere)).hasMessageContaining("no Service");
    }
}
