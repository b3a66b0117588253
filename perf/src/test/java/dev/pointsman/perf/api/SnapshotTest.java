package dev.pointsman.perf.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    private static final List<String> NAMES =
            List.of("SERVICE shop/web", "ENDPOINT_SLICE shop/web-1", "NODE worker-1");

    @TempDir Path folder;

    private List<String> read(String text) throws IOException {
        return Snapshot.read(Files.writeString(folder.resolve("snapshot"), text)).objects().stream()
                .map(ObjectName::of)
                .map(name -> name.kind() + " " + name.key())
                .toList();
    }

    @Test
    void lists_of_objects_are_read_and_other_kinds_left_out() throws Exception {
        String items =
                "%s, {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}}, %s, %s"
                        .formatted(
                                Shop.web(),
                                Shop.slice("web", "10.128.0.10"),
                                Shop.node("worker-1", "a"));
        assertThat(read("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" + items + "]}"))
                .isEqualTo(NAMES);
    }

    @Test
    void yaml_documents_are_read() throws Exception {
        assertThat(
                        read(
                                """
                                apiVersion: v1
                                items:
                                - apiVersion: v1
                                  kind: Service
                                  metadata: {name: web, namespace: shop}
                                - apiVersion: discovery.k8s.io/v1
                                  kind: EndpointSlice
                                  metadata: {name: web-1, namespace: shop}
                                kind: List
                                ---
                                apiVersion: v1
                                kind: Node
                                metadata:
                                  name: worker-1
                                """))
                .isEqualTo(NAMES);
    }

    @Test
    void what_is_neither_is_named_with_the_remedy() {
        assertThatThrownBy(() -> read("{\"kind\": \"List\", \"items\": [{]}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("snapshot").toString())
                .hasMessageContaining("kubectl get -o json");
    }
}
