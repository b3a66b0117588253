package dev.pointsman.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.RuleGraph;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.scenario.Arrival;
import dev.pointsman.packet.scenario.Scenario;
import dev.pointsman.packet.scenario.ScenarioReader;
import dev.pointsman.packet.scenario.Scenarios;
import dev.pointsman.packet.scenario.Sync;
import dev.pointsman.packet.verify.ModelledScenarios;
import dev.pointsman.packet.verify.Verifier;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What we render, read back as text and followed by the packet model, does what the oracle wants.
final class ScenarioModelTest {
    private static final ModelledScenarios MODEL = new ModelledScenarios(Rendered::rules);

    static List<Scenario> scenarios() {
        return Scenarios.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_model_of_the_rules_agrees_with_the_oracle(Scenario scenario) {
        MODEL.follow(scenario);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void the_rules_of_every_scenario_are_proved(Scenario scenario) {
        MODEL.prove(scenario);
    }

    /// A remote pod's packet comes in by another interface than the one with the address it
    /// dialled.
    @Test
    void a_node_port_is_proved_at_an_address_on_loopback() {
        MODEL.proveWithLoopback(
                Scenarios.named("remote-pod-uses-a-node-port-of-draining-endpoints.scenario"));
    }

    @Test
    void a_node_port_on_loopback_is_proved_and_missed_when_it_is_not_there() {
        MODEL.prove(onLoopback("all,localhost"));
        Sync wanted = onLoopback("all,localhost").syncs(Arrival.AS_WRITTEN).getFirst();
        Ruleset without = Rendered.rules(graph(onLoopback("all")));
        assertThat(
                        new Verifier(
                                        graph(onLoopback("all,localhost")),
                                        wanted.cluster().node(),
                                        without)
                                .verify(_ -> {})
                                .disagreements())
                .isNotEmpty()
                .allSatisfy(
                        missed ->
                                assertThat(missed.witness().destination().toString())
                                        .startsWith("127.0.0."));
    }

    /// The node port leads to chains like those of the cluster IP, which remember on their own.
    @Test
    void a_client_that_is_bound_at_one_address_only_is_found() {
        Scenario scenario =
                ScenarioReader.read(
                        "two-memories.scenario",
                        """
                        # A client bound at one address of the Service
                        node      this-node  192.168.0.2  pods=10.180.0.0/24
                        settings  cluster-range=10.0.0.0/8  guard=off
                        service   ns1/web:http tcp  cluster=172.30.0.41:80  nodeport=30041  affinity=600
                        endpoint  ns1/web:http  10.180.0.1:8080  on=this-node
                        endpoint  ns1/web:http  10.180.0.2:8080  on=this-node
                        health    ns1/web = none
                        empty
                        """);
        RuleGraph graph = graph(scenario);
        List<String> lines = Rendered.text(graph).lines().toList();
        String text =
                lines.stream()
                        .flatMap(
                                line ->
                                        line.matches("(:|-A )KUBE-(SVC|SEP)-.*")
                                                ? Stream.of(line, copied(line))
                                                : Stream.of(
                                                        line.startsWith("-A KUBE-EXT-")
                                                                ? copied(line)
                                                                : line))
                        .collect(Collectors.joining("\n", "", "\n"));
        assertThat(
                        new Verifier(
                                        graph,
                                        scenario.syncs(Arrival.AS_WRITTEN)
                                                .getFirst()
                                                .cluster()
                                                .node(),
                                        IptablesSaveReader.read(text, graph.family()))
                                .verify(_ -> {})
                                .disagreements())
                .isNotEmpty()
                .allSatisfy(missed -> assertThat(missed.when()).contains("has led the client to"));
    }

    private static String copied(String line) {
        return line.replace("KUBE-SVC-", "COPY-SVC-").replace("KUBE-SEP-", "COPY-SEP-");
    }

    private static RuleGraph graph(Scenario scenario) {
        return scenario.syncs(Arrival.AS_WRITTEN)
                .getFirst()
                .transitions()
                .values()
                .iterator()
                .next()
                .after();
    }

    private static Scenario onLoopback(String nodePorts) {
        return ScenarioReader.read(
                "loopback.scenario",
                """
                # A node port on 127.0.0.1
                node      this-node  192.168.0.2  pods=10.180.0.0/24
                settings  cluster-range=10.0.0.0/8  guard=off  node-ports=%s
                service   ns1/web:http tcp  cluster=172.30.0.41:80  nodeport=30041
                endpoint  ns1/web:http  10.180.0.1:8080  on=this-node
                flow      host  192.168.0.2  -> tcp 172.30.0.41:80  =  10.180.0.1:8080 source=node
                empty
                """
                        .formatted(nodePorts));
    }
}
