package dev.pointsman.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.kube.KubeJson;
import dev.pointsman.kube.Relay;
import dev.pointsman.kube.ScriptedApiServer;
import dev.pointsman.kube.ScriptedApiServer.Answer;
import dev.pointsman.kube.ScriptedApiServer.Then;
import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.NetworkNamespace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/// The API server answers with garbage, resets in the middle of a list and stops in the middle of
/// one: nothing is torn down, each is said, and the list that comes at last counts.
class BadAnswersTest {
    private static final int PORT = 40_000;

    /// Ends a watch, so that everything is listed again.
    private static final String EXPIRED =
            KubeJson.change("ERROR", KubeJson.status(410, "too old resource version"));

    private static final List<String> WORDS =
            List.of(
                    "endpointslices: the answer is cut off or no JSON: ",
                    "endpointslices: the server answers with something that is no list",
                    "endpointslices: the connection broke off",
                    "endpointslices: nothing came for 30 s");

    private static final NetworkNamespace HOME = NetworkNamespace.current();
    private static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();

    @TempDir Path folder;

    @KernelTest
    void lists_that_are_none() throws Exception {
        List<String> pods = Crossing.podAddresses();
        try (Crossing crossing = Crossing.create(folder);
                UdpFlows flows = new UdpFlows(crossing);
                ScriptedApiServer server = new ScriptedApiServer();
                Relay wire =
                        crossing.node().namespace().call(() -> Relay.into(HOME, server.port()))) {
            crossing.endpoints(pods.subList(0, 1));
            String before = items(crossing, "EndpointSlice");
            String cut = before.substring(0, before.lastIndexOf("{"));
            server.list("nodes", 200, KubeJson.list("1", "", items(crossing, "Node")))
                    .list("services", 200, KubeJson.list("1", "", items(crossing, "Service")))
                    .list("endpointslices", 200, KubeJson.list("1", "", before))
                    .watch("endpointslices", EXPIRED, Then.END)
                    .list("endpointslices", 200, "<!doctype html><title>Sign in</title>")
                    .list("endpointslices", 200, "{\"message\": \"please sign in\"}")
                    .list("endpointslices", new Answer(200, "{\"items\":[" + cut, Then.BREAK))
                    .list("endpointslices", new Answer(200, "{\"items\":[" + cut, Then.SILENCE));
            crossing.endpoints(pods.subList(1, 2));
            server.list(
                    "endpointslices",
                    200,
                    KubeJson.list("9", "", items(crossing, "EndpointSlice")));

            RunProcess run =
                    crossing.run(
                            Map.of(),
                            List.of(
                                    "--mode",
                                    "nftables",
                                    "--master",
                                    "http://127.0.0.1:" + wire.port(),
                                    "-v",
                                    "2"));
            run.await("IPv6: brought up to date");
            for (int said = 0; said < WORDS.size(); said++) {
                run.await(WORDS.get(said));
                assertThat(flows.stickyAnswerers(PORT + said).values()).containsOnly(pods.get(0));
            }
            assertThat(run.said()).doesNotContain("IPv4: changed");
            run.await("endpointslices is listed again");
            flows.awaitSticky(PORT, pods.get(1));
            assertThat(run.end()).isZero();
        }
    }

    /// Those of one kind in the file of the cluster, as a list of JSON.
    private static String items(Crossing crossing, String kind) throws Exception {
        try (InputStream in = Files.newInputStream(crossing.snapshot())) {
            List<HasMetadata> all = KUBERNETES.unmarshal(in);
            List<String> items =
                    all.stream()
                            .filter(item -> item.getKind().equals(kind))
                            .map(KUBERNETES::asJson)
                            .toList();
            return String.join(",", items);
        }
    }
}
