package dev.pointsman.perf;

import static dev.pointsman.perf.Comparison.restricted;
import static dev.pointsman.perf.Comparison.said;
import static dev.pointsman.perf.Comparison.withoutServerFields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.perf.api.ApiClient;
import dev.pointsman.perf.api.ApiClient.Answer;
import dev.pointsman.perf.api.ApiClient.Lines;
import dev.pointsman.perf.api.Churn;
import dev.pointsman.perf.api.Kind;
import dev.pointsman.perf.api.ObjectName;
import dev.pointsman.perf.api.Shop;
import dev.pointsman.perf.api.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A real kube-apiserver beside ours: written alike, both tell the same.
@Tag("peers")
class RealApiServerTest {
    private static final ClusterShape SHAPE = new ClusterShape(6, 5);
    private static final int CHURNED = 80;
    private static final String SERVICES = "/api/v1/services";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/endpointslices";
    private static final String NODES = "/api/v1/nodes";
    private static final String LAST = "last";
    private static final String FRONT = "tier=front";
    private static final String ANY_ADDRESS = "\"type\": \"ClusterIP\"";
    private static final String PROXY_NAME = "service.kubernetes.io/service-proxy-name=mesh";

    /// As kube-proxy watches, and as others could.
    private static final List<String> WATCHED =
            List.of(
                    SERVICES
                            + "?labelSelector=%21service.kubernetes.io%2Fservice-proxy-name"
                            + "&fieldSelector=spec.clusterIP%21%3DNone",
                    SLICES + "?labelSelector=%21service.kubernetes.io%2Fheadless",
                    NODES + "?fieldSelector=metadata.name%3Dshop-1",
                    SERVICES + "?labelSelector=tier+in+%28front%2Cback%29%2Ctier%21%3Dback",
                    "/api/v1/namespaces/shop/services?",
                    SLICES + "?");

    @TempDir Path folder;

    private Both start() throws Exception {
        return new Both(
                folder,
                Stream.concat(
                                Stream.of("shop"),
                                IntStream.range(0, SHAPE.services())
                                        .mapToObj(index -> SHAPE.name(index).namespace()))
                        .toList());
    }

    private static Stream<ObjectNode> generated() {
        return new ClusterObjects(SHAPE)
                .all()
                .filter(object -> ObjectName.of(object).kind() != Kind.SERVICE_CIDR);
    }

    @Test
    void the_same_writes_give_the_same_watches() throws Exception {
        try (Both both = start()) {
            generated().forEach(object -> both.write(new Write.Create(object)));
            List<Lines> real = watches(both.real(), fromNow(both.real()));
            List<Lines> ours = watches(both.ours(), fromNow(both.ours()));
            script().forEach(both::write);
            Churn churn = new Churn(generated(), both.store()::get);
            for (int written = 0; written < CHURNED; written++) {
                both.write(churn.next());
            }
            last().forEach(both::write);
            for (int index = 0; index < WATCHED.size(); index++) {
                List<JsonNode> expected = untilLast(real.get(index));
                List<JsonNode> told = untilLast(ours.get(index));
                assertThat(said(told, told))
                        .as(WATCHED.get(index))
                        .hasSizeGreaterThan(1)
                        .isEqualTo(said(expected, told));
            }
        }
    }

    /// How to ask for a watch of `path` as it is now.
    private interface Asking {
        String of(String path) throws Exception;
    }

    private static List<Lines> watches(ApiClient client, Asking asking) throws Exception {
        List<Lines> watches = new ArrayList<>();
        for (String path : WATCHED) {
            watches.add(client.watch(asking.of(path)));
        }
        return watches;
    }

    private static Asking fromNow(ApiClient client) {
        return path -> path + "&resourceVersion=" + client.get(path).version();
    }

    /// What can happen to an object, and what makes it come and go for those who select.
    private static List<Write> script() {
        return List.of(
                new Write.Create(Shop.node("shop-1", "a")),
                new Write.Create(Shop.node("shop-2", "a")),
                new Write.Create(Shop.service("cart", ANY_ADDRESS)),
                new Write.Create(Shop.service("db", "\"clusterIP\": \"None\"")),
                new Write.Create(Shop.web()),
                new Write.Create(Shop.slice("web", "10.128.0.10")),
                new Write.Create(Shop.slice("cart", "10.128.0.11")),
                // The same once more is no event.
                new Write.Replace(Shop.web()),
                new Write.Replace(Shop.web(FRONT)),
                new Write.Replace(Shop.web("tier=back")),
                new Write.Replace(Shop.web(FRONT)),
                new Write.Replace(Shop.web(FRONT, PROXY_NAME)),
                new Write.Replace(Shop.web(FRONT)),
                new Write.Delete(new ObjectName(Kind.SERVICE, "shop", "cart")),
                new Write.Replace(Shop.slice("web", "10.128.0.12")),
                new Write.Replace(Shop.node("shop-1", "b")),
                new Write.Replace(Shop.node("shop-2", "b")),
                new Write.Delete(new ObjectName(Kind.ENDPOINT_SLICE, "shop", "cart-1")),
                new Write.Create(Shop.slice("cart", "10.128.0.13")),
                new Write.Delete(new ObjectName(Kind.NODE, "", "shop-1")),
                new Write.Create(Shop.node("shop-1", "c")));
    }

    private static List<Write> last() {
        return Stream.of(
                        Shop.service("last", ANY_ADDRESS, FRONT),
                        Shop.slice("last", "10.128.0.14"),
                        Shop.node("shop-1", "d"))
                .<Write>map(
                        object -> {
                            object.withObject("metadata").withObject("labels").put(LAST, "");
                            return ObjectName.of(object).kind() == Kind.NODE
                                    ? new Write.Replace(object)
                                    : new Write.Create(object);
                        })
                .toList();
    }

    private static List<JsonNode> untilLast(Lines lines) throws InterruptedException {
        return lines.until(line -> line.path("object").path("metadata").path("labels").has(LAST));
    }

    @Test
    void the_same_lists_come_in_the_same_pages() throws Exception {
        try (Both both = start()) {
            generated().forEach(object -> both.write(new Write.Create(object)));
            script().forEach(both::write);
            for (String path : List.of(SERVICES, SLICES, NODES)) {
                List<Answer> expected = both.real().pages(path, 4);
                List<Answer> ours = both.ours().pages(path, 4);
                assertThat(ours).as(path).hasSizeGreaterThan(1).hasSameSizeAs(expected);
                for (int page = 0; page < ours.size(); page++) {
                    JsonNode items = ours.get(page).body().path("items");
                    JsonNode written = withoutServerFields(items);
                    assertThat(restricted(expected.get(page).body().path("items"), written))
                            .isEqualTo(written);
                }
                assertThat(expected.stream().map(Answer::version).distinct()).hasSize(1);
                assertThat(ours.stream().map(Answer::version).distinct()).hasSize(1);
            }
            for (String path : WATCHED) {
                assertThat(both.ours().get(path).names())
                        .as(path)
                        .isEqualTo(both.real().get(path).names());
            }
            pagesStayAsTheyWere(both);
            streamedListsEndAlike(both);
            watchesSayHowFarTheyCame(both);
            refusalsAreTheSame(both);
        }
    }

    /// What is written between two pages is on none of them.
    private static void pagesStayAsTheyWere(Both both) throws Exception {
        Answer expected = both.real().get(SERVICES + "?limit=3");
        Answer ours = both.ours().get(SERVICES + "?limit=3");
        both.write(new Write.Delete(new ObjectName(Kind.SERVICE, "shop", "web")));
        both.write(new Write.Create(Shop.service("zoo", ANY_ADDRESS)));
        String second = SERVICES + "?limit=100&continue=";
        assertThat(both.ours().get(second + ours.next()).names())
                .contains("shop/web")
                .doesNotContain("shop/zoo")
                .isEqualTo(both.real().get(second + expected.next()).names());
        String exact = SERVICES + "?resourceVersionMatch=Exact&resourceVersion=";
        assertThat(both.ours().get(exact + ours.version()).names())
                .contains("shop/web")
                .isEqualTo(both.real().get(exact + expected.version()).names());
    }

    /// As kube-proxy asks for lists.
    private static void streamedListsEndAlike(Both both) throws Exception {
        String streamed =
                "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true&timeoutSeconds=2";
        List<Lines> real = watches(both.real(), path -> path + streamed);
        List<Lines> ours = watches(both.ours(), path -> path + streamed);
        for (int index = 0; index < WATCHED.size(); index++) {
            List<JsonNode> told = ours.get(index).rest();
            assertThat(said(told, told))
                    .as(WATCHED.get(index))
                    .isEqualTo(said(real.get(index).rest(), told))
                    .last()
                    .asString()
                    .startsWith("BOOKMARK")
                    .contains("initial-events-end");
        }
    }

    /// Beyond what was of interest, too.
    private static void watchesSayHowFarTheyCame(Both both) throws Exception {
        String path =
                NODES
                        + "?fieldSelector=metadata.name%3Dshop-1"
                        + "&allowWatchBookmarks=true&timeoutSeconds=6&resourceVersion=";
        Lines real = both.real().watch(path + both.real().get(NODES).version());
        Lines ours = both.ours().watch(path + both.ours().get(NODES).version());
        both.write(new Write.Replace(Shop.node("shop-2", "d")));
        List<JsonNode> told = ours.rest();
        assertThat(said(told, told)).containsExactly("BOOKMARK Node");
        assertThat(version(told.getFirst())).isEqualTo(both.store().version());
        // It may say so twice.
        List<JsonNode> expected = real.rest();
        assertThat(said(expected, told)).containsOnly("BOOKMARK Node");
        assertThat(version(expected.getLast()))
                .isGreaterThanOrEqualTo(
                        Long.parseLong(both.real().get(NODES + "/shop-2").version()));
    }

    private static long version(JsonNode line) {
        return Long.parseLong(
                line.path("object").path("metadata").path("resourceVersion").asString());
    }

    private static void refusalsAreTheSame(Both both) throws Exception {
        for (String path :
                List.of(
                        SERVICES + "?labelSelector=a+b",
                        SERVICES + "?fieldSelector=spec.colour%3Dred",
                        SERVICES + "?limit=many",
                        SERVICES + "?limit=1&continue=nowhere",
                        SERVICES + "?resourceVersion=99999999",
                        "/api/v1/namespaces/shop/services/nobody",
                        NODES + "/nobody")) {
            assertThat(refusal(both.ours().get(path)))
                    .as(path)
                    .isEqualTo(refusal(both.real().get(path)));
        }
    }

    private static String refusal(Answer answer) {
        return answer.code() + " " + answer.body().path("reason").asString("");
    }

    @Test
    void what_is_forgotten_is_gone_alike() throws Exception {
        try (Both both = start()) {
            generated().forEach(object -> both.write(new Write.Create(object)));
            Answer real = both.real().get(SERVICES + "?limit=3");
            Answer ours = both.ours().get(SERVICES + "?limit=3");
            both.write(new Write.Create(Shop.web()));
            both.compact();
            for (String path :
                    List.of(
                            SERVICES + "?limit=3&continue=%2$s",
                            SERVICES + "?resourceVersionMatch=Exact&resourceVersion=%1$s")) {
                assertThat(refusal(both.ours().get(path.formatted(ours.version(), ours.next()))))
                        .isEqualTo("410 Expired")
                        .isEqualTo(
                                refusal(
                                        both.real()
                                                .get(path.formatted(real.version(), real.next()))));
            }
            // Nodes did not change since, and no server knows that any more.
            for (String path : List.of(SERVICES, NODES)) {
                String watch = path + "?resourceVersion=";
                List<JsonNode> told = both.ours().watch(watch + ours.version()).rest();
                assertThat(said(told, told))
                        .containsExactly("ERROR 410 Expired")
                        .isEqualTo(said(both.real().watch(watch + real.version()).rest(), told));
            }
        }
    }
}
