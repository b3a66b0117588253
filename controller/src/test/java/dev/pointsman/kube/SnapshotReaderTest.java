package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotReaderTest {
    private static final long GIB = 1L << 30;

    @TempDir Path folder;

    @Test
    void a_list_as_kubectl_prints_it_in_json() {
        Snapshot snapshot =
                stdin(
                        "{\"apiVersion\":\"v1\",\"items\":["
                                + json("a")
                                + ","
                                + json("b")
                                + "],"
                                + "\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"}}");
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"kind\":\"ServiceList\",%s", "%s,\"kind\":\"ServiceList\""})
    void a_list_of_one_kind_need_not_repeat_it_in_every_item(String order) {
        String items =
                "\"apiVersion\":\"v1\",\"items\":["
                        + json("a").replace("\"apiVersion\":\"v1\",\"kind\":\"Service\",", "")
                        + "]";
        Snapshot snapshot = stdin("{" + order.formatted(items) + "}");
        assertThat(names(snapshot)).containsExactly("shop/a");
        assertThat(snapshot.findings()).extracting(Finding::field).containsExactly("");
    }

    @Test
    void json_documents_one_after_the_other() {
        assertThat(names(stdin(json("a") + "\n" + json("b") + json("c"))))
                .containsExactly("shop/a", "shop/b", "shop/c");
    }

    @Test
    void a_bare_array_of_objects() {
        assertThat(names(stdin("[" + json("a") + "," + json("b") + "]")))
                .containsExactly("shop/a", "shop/b");
    }

    @Test
    void yaml_documents_with_nothing_between_some_of_them() {
        assertThat(names(stdin("---\n" + yaml("a") + "---\n---\n" + yaml("b") + "...\n")))
                .containsExactly("shop/a", "shop/b");
    }

    @Test
    void text_in_utf_16_as_older_powershells_write_it() {
        byte[] text = ("\uFEFF" + yaml("a")).getBytes(StandardCharsets.UTF_16LE);
        assertThat(names(stdin(text))).containsExactly("shop/a");
        assertThat(names(stdin(("\uFEFF" + json("a")).getBytes(StandardCharsets.UTF_16BE))))
                .containsExactly("shop/a");
    }

    @Test
    void text_with_a_byte_order_mark() {
        assertThat(names(stdin("\uFEFF" + json("a")))).containsExactly("shop/a");
        assertThat(names(stdin("\uFEFF" + yaml("a")))).containsExactly("shop/a");
    }

    @Test
    void folders_are_read_to_the_bottom_and_packed_files_too() throws IOException {
        Files.createDirectories(folder.resolve("x/y"));
        Files.writeString(folder.resolve("x/y/a.yaml"), yaml("a"));
        Files.writeString(folder.resolve("x/b.json"), json("b"));
        Files.writeString(folder.resolve("x/logs.txt"), "no snapshot");
        try (OutputStream file = Files.newOutputStream(folder.resolve("c.yml.gz"));
                GZIPOutputStream packed = new GZIPOutputStream(file)) {
            packed.write(yaml("c").getBytes(StandardCharsets.UTF_8));
        }
        Snapshot snapshot = read(folder.toString());
        assertThat(names(snapshot)).containsExactlyInAnyOrder("shop/a", "shop/b", "shop/c");
        assertThat(lines(snapshot)).singleElement().asString().contains("no EndpointSlice");
    }

    @Test
    void what_cannot_be_read_is_said_and_the_rest_is_read() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), yaml("a"));
        Files.createDirectory(folder.resolve("empty"));
        Snapshot snapshot =
                read(
                        folder.resolve("missing.yaml").toString(),
                        folder.resolve("empty").toString(),
                        folder.resolve("a.yaml").toString());
        assertThat(names(snapshot)).containsExactly("shop/a");
        assertThat(lines(snapshot).get(0))
                .contains("missing.yaml: snapshot: cannot be read: there is no such file");
        assertThat(lines(snapshot).get(1)).contains("/empty: ", "no file in it ends in .yaml");
    }

    @Test
    void a_table_is_recognised() {
        assertThat(lines(stdin("NAMESPACE   NAME                 TYPE        CLUSTER-IP")))
                .containsExactly(
                        "error: stdin:1: snapshot: is a table that kubectl get printed for people;"
                                + " nothing of it is used; print it again with -o yaml or -o json");
    }

    @Test
    void an_empty_text_is_said_to_be_empty() {
        assertThat(lines(stdin(""))).singleElement().asString().contains("snapshot: is empty");
        assertThat(lines(stdin("# nothing\n"))).singleElement().asString().contains("is empty");
    }

    @Test
    void services_without_any_slice_are_a_loud_warning() {
        String endpoints =
                "{\"apiVersion\":\"v1\",\"kind\":\"Endpoints\",\"metadata\":{\"name\":\"a\"}}";
        assertThat(lines(stdin(json("a") + endpoints)))
                .containsExactly(
                        "warning: snapshot: it holds 1 Service and no EndpointSlice; its 1 Endpoints"
                                + " object cannot stand in, no proxy reads that kind any more; every"
                                + " Service behaves as if it had no endpoints; take a full one with"
                                + " kubectl get nodes,services,endpointslices,servicecidrs -A -o yaml");
    }

    @Test
    void of_two_versions_the_later_one_counts() {
        Snapshot snapshot = stdin(json("a") + "\n" + json("a").replace("80", "81"));
        assertThat(snapshot.events())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClusterEvent.ServiceSeen.class,
                        seen -> assertThat(seen.service().ports().getFirst().port()).isEqualTo(81));
        assertThat(lines(snapshot).getFirst())
                .isEqualTo(
                        "warning: stdin:2: Service shop/a: is another version of the object at"
                                + " stdin:1; this later one counts");
    }

    @Test
    void all_complete_objects_of_a_cut_off_json_list_are_used() {
        String whole =
                "{\"apiVersion\":\"v1\",\"items\":[\n"
                        + json("a")
                        + ",\n"
                        + json("b")
                        + ",\n"
                        + json("c");
        Snapshot snapshot = stdin(whole.substring(0, whole.length() - 9));
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/b");
        assertThat(lines(snapshot).getFirst())
                .startsWith("error: stdin:4:")
                .contains("snapshot: /items/2/spec", "cut off", "end-of-input")
                .contains("the 2 objects before this place are used, nothing after it is");
    }

    @Test
    void all_complete_objects_of_a_cut_off_yaml_list_are_used() {
        String whole = "apiVersion: v1\nitems:\n" + item("a") + item("b") + item("c");
        Snapshot snapshot = stdin(whole.substring(0, whole.length() - 6));
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/b");
        assertThat(lines(snapshot).getFirst())
                .startsWith("error: stdin:21: snapshot: breaks off in its list")
                .contains("Service shop/c may be incomplete and is not used");
    }

    @Test
    void a_yaml_list_that_has_its_end_is_used_to_the_last_item() {
        Snapshot snapshot =
                stdin("apiVersion: v1\nitems:\n" + item("a") + item("b") + "kind: List\n");
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/b");
    }

    @Test
    void broken_yaml_loses_only_what_comes_after() {
        Snapshot snapshot =
                stdin(
                        "apiVersion: v1\nitems:\n"
                                + item("a")
                                + item("b").replace("port:", "port: [")
                                + item("c"));
        assertThat(names(snapshot)).containsExactly("shop/a");
        assertThat(lines(snapshot).getFirst())
                .matches("error: stdin:2\\d:\\d+: snapshot: .*cut off or broken.*");
    }

    @Test
    void a_cut_off_packed_text_is_used_up_to_there() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < 20_000; i++) {
                packed.write(
                        json("a" + Long.toHexString(i * 0x9E3779B97F4A7C15L))
                                .getBytes(StandardCharsets.UTF_8));
            }
        }
        Snapshot snapshot = stdin(Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
        assertThat(snapshot.events()).hasSizeBetween(5_000, 15_000);
        assertThat(lines(snapshot).getFirst())
                .contains("it is cut off")
                .doesNotContain("Exception");
    }

    static Stream<Endless> monsters() {
        return Stream.of(
                // in JSON: a string that is read, one that is not, a name, a line of blanks
                new Endless(
                        json("a") + "{\"kind\":\"Service\",\"metadata\":{\"name\":\"",
                        "x",
                        GIB,
                        "\"}}"),
                new Endless(
                        json("a") + "{\"kind\":\"ConfigMap\",\"data\":{\"x\":\"", "x", GIB, "\"}}"),
                new Endless(json("a") + "{\"", "x", GIB, "\":1}"),
                new Endless(json("a"), " ", GIB, ""),
                new Endless(json("a") + "{\"spec\":{\"port\":", "1", GIB, "}}"),
                // in YAML: a line, a text over many lines, a quoted one, a comment
                new Endless(yaml("a") + "---\nkind: ", "x", GIB, "\n"),
                new Endless(
                        yaml("a") + "---\nkind: ConfigMap\ndata: |\n",
                        "  xxxxxxxxxxx\n",
                        GIB / 14,
                        ""),
                new Endless(yaml("a") + "---\nkind: \"", "x ", GIB / 2, "\"\n"),
                new Endless(yaml("a") + "---\n# ", "x", GIB, "\n"));
    }

    @ParameterizedTest
    @MethodSource("monsters")
    void a_value_or_line_of_a_gigabyte_is_refused_after_little_of_it(Endless text) {
        Snapshot snapshot = SnapshotReader.read(List.of("-"), text);
        assertThat(text.position()).isLessThan(GIB / 10);
        assertThat(names(snapshot)).containsExactly("shop/a");
        assertThat(lines(snapshot).getFirst())
                .startsWith("error: stdin:")
                .containsAnyOf("longer than 4 MiB", "exceeds the maximum allowed")
                .contains("the object before this place is used");
    }

    @Test
    void depth_without_end_is_refused() {
        for (String open : List.of("[", "{\"spec\":", "- ")) {
            Snapshot snapshot =
                    SnapshotReader.read(
                            List.of("-"), new Endless(json("a") + "\n", open, 100_000, ""));
            assertThat(snapshot.findings()).isNotEmpty();
        }
        assertThat(
                        lines(
                                SnapshotReader.read(
                                        List.of("-"), new Endless("kind: ", "[", 100_000, ""))))
                .singleElement()
                .asString()
                .contains("nesting depth");
    }

    @Test
    void findings_have_no_control_characters_of_the_text_in_them() {
        Snapshot snapshot =
                stdin(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"\\u001b[2J\",\"namespace\":\"x\\n\"}}");
        assertThat(lines(snapshot))
                .allMatch(line -> line.chars().noneMatch(Character::isISOControl));
    }

    @Test
    void a_byte_that_is_no_utf_8_costs_nothing_but_a_warning() {
        for (String text :
                List.of(json("a") + "\n{\"x\":\"caf\u00e9\"", yaml("a") + "x: caf\u00e9")) {
            String whole = text.startsWith("{") ? text + ",\"kind\":\"ConfigMap\"}" : text;
            Snapshot snapshot = stdin(whole.getBytes(StandardCharsets.ISO_8859_1));
            assertThat(names(snapshot)).containsExactly("shop/a");
            assertThat(lines(snapshot).getFirst())
                    .matches(
                            "warning: stdin:(2|10): snapshot: holds 1 byte that cannot be read as"
                                    + " UTF-8; \uFFFD stands for each of them; .*");
        }
    }

    @Test
    void binary_garbage_is_an_error() {
        byte[] garbage = new byte[100_000];
        new Random(1).nextBytes(garbage);
        Snapshot snapshot = stdin(garbage);
        assertThat(snapshot.gap()).isPresent();
        assertThat(lines(snapshot).getFirst())
                .startsWith("error: stdin")
                .doesNotContain("Exception");
    }

    @Test
    void json_and_yaml_documents_between_lines_of_dashes() {
        Snapshot snapshot =
                stdin(
                        json("a")
                                + "\n---\n"
                                + json("b").replace(",", ",\n")
                                + "\n--- # c\n"
                                + yaml("c")
                                + "---\n"
                                + json("d")
                                + "\n---\n"
                                + yaml("e").replace("port: 8080", "port: x"));
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/b", "shop/c", "shop/d");
        assertThat(lines(snapshot).getFirst()).startsWith("error: stdin:22: Service shop/e: ");
        assertThat(names(stdin(json("a") + "\n---\n---\n" + json("b") + "\n---\n")))
                .containsExactly("shop/a", "shop/b");
    }

    @Test
    void depth_that_nobody_reads_costs_nothing() {
        String deep = "{\"a\":".repeat(1_000) + "1" + "}".repeat(1_000);
        for (String list : List.of("%s", "---\n%s")) {
            Snapshot snapshot =
                    stdin(
                            list.formatted(
                                    "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
                                            + json("a")
                                            + ","
                                            + json("b")
                                                    .replace(
                                                            "{\"name", "{\"x\":" + deep + ",\"name")
                                            + ","
                                            + json("c")
                                            + "]}"));
            assertThat(names(snapshot)).containsExactly("shop/a", "shop/b", "shop/c");
        }
    }

    @Test
    void depth_where_something_is_read_costs_that_object() {
        String deep = "{\"spec\":".repeat(1_000) + "1" + "}".repeat(1_000);
        Snapshot snapshot =
                stdin(
                        json("a")
                                + json("b")
                                        .replace("\"spec\":", "\"status\":" + deep + ",\"spec\":")
                                + json("c"));
        assertThat(names(snapshot)).containsExactly("shop/a", "shop/c");
        assertThat(lines(snapshot).getFirst())
                .contains("Service shop/b", "is nested more than 60 deep")
                .hasSizeLessThan(200);
    }

    @Test
    void what_kubectl_prints_instead_of_objects_is_told_apart() {
        assertThat(
                        lines(
                                stdin(
                                        "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"message\":\"Unauthorized\"}")))
                .singleElement()
                .asString()
                .startsWith("error: stdin:1: snapshot: is what the API server answered")
                .contains("\"Unauthorized\"");
        assertThat(lines(stdin("apiVersion: meta.k8s.io/v1\nkind: Table\nrows: []\n")))
                .singleElement()
                .asString()
                .contains("is a table", "-o yaml");
    }

    @Test
    void a_node_without_addresses_is_a_warning() {
        Snapshot snapshot = stdin("apiVersion: v1\nkind: Node\nmetadata: {name: n}\n");
        assertThat(snapshot.nodes()).containsKey("n");
        assertThat(lines(snapshot))
                .containsExactly(
                        "warning: stdin:1: Node n: status.addresses: has no usable InternalIP or"
                                + " ExternalIP; node ports do not answer on this Node");
    }

    private Snapshot read(String... sources) {
        return SnapshotReader.read(List.of(sources), InputStream.nullInputStream());
    }

    private static Snapshot stdin(String text) {
        return stdin(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Snapshot stdin(byte[] text) {
        return SnapshotReader.read(List.of("-"), new ByteArrayInputStream(text));
    }

    private static List<String> names(Snapshot snapshot) {
        return snapshot.events().stream()
                .map(
                        event ->
                                event instanceof ClusterEvent.ServiceSeen(var service)
                                        ? service.name().toString()
                                        : event.toString())
                .toList();
    }

    private static List<String> lines(Snapshot snapshot) {
        return snapshot.findings().stream().map(Finding::toString).toList();
    }

    private static String json(String name) {
        return """
               {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s","namespace":"shop"},\
               "spec":{"clusterIP":"10.96.10.1","ports":[{"port":80}]}}"""
                .formatted(name);
    }

    private static String yaml(String name) {
        return """
               apiVersion: v1
               kind: Service
               metadata:
                 name: %s
                 namespace: shop
               spec:
                 clusterIP: 10.96.10.1
                 ports:
                 - port: 8080
               """
                .formatted(name);
    }

    private static String item(String name) {
        return "- " + yaml(name).stripTrailing().replace("\n", "\n  ") + "\n";
    }
}
