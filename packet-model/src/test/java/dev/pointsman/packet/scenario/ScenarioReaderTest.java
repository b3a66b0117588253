package dev.pointsman.packet.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScenarioReaderTest {
    private static final String START =
            """
            # A title.
            node      n1 192.168.0.2
            service   ns1/web:http tcp cluster=172.30.0.41:80
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "sevrice ns1/web ~ expected node, settings, service, endpoint, remove,"
                        + " remove-endpoint, flow, health, then or empty, found sevrice",
                "service ns1/web:x tcp ~ expected cluster=ADDRESS:PORT, found the end of the line",
                "service web tcp cluster=1.2.3.4:1 ~ expected NAMESPACE/NAME, found web",
                "service a/b icmp cluster=1.2.3.4:1 ~ expected tcp, udp or sctp, found icmp",
                "service a/b tcp cluster=1.2.3.4 ~ expected ADDRESS:PORT, found 1.2.3.4",
                "service a/b tcp cluster=1.2.3.4:0 ~ expected a number from 1 to 65535, found 0",
                "service a/b tcp cluster=1.2.3.4:x ~ expected a number from 1 to 65535, found x",
                "service a/b tcp cluster=fd00::1:80 ~ expected brackets around an IPv6 address"
                        + " with a port, and only there, found fd00::1:80",
                "service a/b tcp cluster=1.2.3.4:1 lb=1.2.3 ~ \"1.2.3\" is no IP address",
                "service a/b tcp cluster=1.2.3.4:1 ranges=1.2.3.4 ~ \"1.2.3.4\" is no address range"
                        + " (address/prefix length)",
                "service a/b tcp cluster=1.2.3.4:1 external-policy=local ~ expected"
                        + " external-policy=Cluster|Local, found local",
                "settings detect=magic ~ expected detect=none|node|bridge:NAME|prefix:LETTERS,"
                        + " found magic",
                "settings guard=on ~ expected guard=off, found guard=on",
                "settings detect=node cluster-range=10.0.0.0/8 ~ expected either cluster-range or"
                        + " detect, found both",
                "endpoint a/b 1.2.3.4:1 ready not-ready ~ expected either ready or not-ready,"
                        + " found both",
                "flow pod 1.2.3.4 tcp 1.2.3.4:1 = drop ~ expected \"->\", found tcp",
                "flow pet 1.2.3.4 -> tcp 1.2.3.4:1 = drop ~ expected pod, host or outside, found pet",
                "flow pod 1.2.3.4 -> tcp 1.2.3.4:1 = ~ expected an outcome, found the end of the line",
                "flow pod 1.2.3.4 -> tcp 1.2.3.4:1 = 1.1.1.1:1 ~ expected source=kept or source=node"
                        + " after the endpoints, found none",
                "flow pod 1.2.3.4 -> tcp [::1]:1 = drop ~ a flow from 1.2.3.4 to ::1 mixes families",
                "empty c ~ expected the end of the line, found \"c\"",
                "health a/b = 80 ~ expected ready=COUNT, found the end of the line",
            })
    void a_mistake_is_named_with_its_line(String line, String message) {
        assertThatThrownBy(() -> ScenarioReader.read("x.scenario", START + line + "\nempty\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x.scenario:4: " + message);
    }

    @Test
    void unknown_and_repeated_options_are_mistakes() {
        assertThatThrownBy(() -> read("endpoint a/b 1.2.3.4:1 at=n1"))
                .hasMessageStartingWith("x.scenario:4: expected one of ")
                .hasMessageEndingWith("once, found at=n1");
        assertThatThrownBy(() -> read("endpoint a/b 1.2.3.4:1 on=n1 on=n2"))
                .hasMessageEndingWith("once, found on=n2");
        assertThatThrownBy(() -> read("service ns1/web:b tcp cluster=172.30.0.41:81 lb=1.2.3.4"))
                .hasMessageEndingWith("once, found lb=1.2.3.4");
    }

    @Test
    void statements_below_the_first_flow_need_then() {
        assertThatThrownBy(() -> read("health ns1/web = none\nendpoint ns1/web:http 10.0.0.1:80"))
                .hasMessage(
                        "x.scenario:5: expected \"then\" before each statement below the first"
                                + " \"flow\" or \"health\", and nowhere else, found endpoint");
    }

    @Test
    void a_scenario_begins_with_its_title_and_ends_empty() {
        assertThatThrownBy(() -> ScenarioReader.read("x.scenario", "node n1 1.2.3.4\nempty\n"))
                .hasMessage("x.scenario:1: expected a comment that says what the scenario shows");
        assertThatThrownBy(() -> ScenarioReader.read("x.scenario", START))
                .hasMessage("x.scenario:3: expected \"empty\" as the last statement");
        assertThatThrownBy(() -> read("empty\nnode n1 1.2.3.4"))
                .hasMessage("x.scenario:5: expected nothing after \"empty\", found node");
    }

    @Test
    void neighbouring_then_lines_are_one_sync() {
        Scenario scenario =
                read(
                        """
                        flow pod 10.0.0.9 -> tcp 172.30.0.41:80 = reject
                        then endpoint ns1/web:http 10.0.0.1:80
                        then endpoint ns1/web:http 10.0.0.2:80   # another one
                        flow pod 10.0.0.9 -> tcp 172.30.0.41:80 = 10.0.0.1:80, 10.0.0.2:80 source=kept
                        """);
        assertThat(scenario.title()).isEqualTo("A title.");
        assertThat(scenario.steps()).extracting(Scenario.Step::line).containsExactly(2, 5);
        assertThat(scenario.steps().getLast().facts()).hasSize(2);
    }

    private static Scenario read(String lines) {
        return ScenarioReader.read("x.scenario", START + lines + "\nempty\n");
    }
}
