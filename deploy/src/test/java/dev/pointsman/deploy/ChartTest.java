package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.Generated;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What helm makes of the chart, and that kustomize comes to the same.
@Tag("peers")
final class ChartTest {
    private static final String CHART = "chart/pointsman";
    private static final String HEAD =
            "# What helm makes of ../../chart/pointsman in namespace kube-system: ChartTest writes"
                    + " it with -Dgolden=update.\n";

    private static String rendered(String... settings) throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of("template", "pointsman", CHART, "--namespace", "kube-system"));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        return Tool.helm().run(arguments.toArray(String[]::new));
    }

    @Test
    void the_base_of_kustomize_is_what_the_chart_says() throws Exception {
        Generated.check(ManifestsTest.BASE, HEAD + rendered());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables", "ipvs"})
    void an_overlay_is_the_chart_in_that_mode(String mode) throws Exception {
        String overlay = Tool.kubectl().run("kustomize", "kustomize/overlays/" + mode);
        assertThat(Manifests.of(overlay)).isEqualTo(Manifests.of(rendered("mode=" + mode)));
    }

    @Test
    void every_value_leads_to_fields_that_kubernetes_has() throws Exception {
        Manifests all =
                Manifests.of(
                                rendered(
                                        "image.digest=sha256:" + "0".repeat(64),
                                        "imagePullSecrets[0].name=registry",
                                        "takeOver=false",
                                        "extraArgs[0]=--family=ipv4",
                                        "extraEnv[0].name=A,extraEnv[0].value=b",
                                        "config.inline.mode=nftables",
                                        "apiServer.host=192.0.2.1",
                                        "healthz.host=127.0.0.1",
                                        "nodeSelector.pool=a",
                                        "podAnnotations.a=b",
                                        "podLabels.a=b",
                                        "resources.limits.memory=512Mi",
                                        "updateStrategy.rollingUpdate.maxUnavailable=1",
                                        "monitoring.labels.release=prometheus",
                                        "monitoring.podMonitor=true",
                                        "monitoring.prometheusRule=true"))
                        .checked();
        Container container =
                all.only(DaemonSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst();
        assertThat(container.getImage()).isEqualTo("pointsman@sha256:" + "0".repeat(64));
        assertThat(container.getArgs())
                .containsExactly(
                        "run",
                        "--config=/var/lib/kube-proxy/config.conf",
                        "--node=$(NODE_NAME)",
                        "--family=ipv4");
        assertThat(container.getEnv())
                .extracting(variable -> variable.getName())
                .containsExactly(
                        "NODE_NAME", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "A");
        assertThat(all.only(ConfigMap.class).getData().get("config.conf"))
                .contains("kind: KubeProxyConfiguration", "mode: nftables");
    }

    @ParameterizedTest
    @CsvSource({
        "mode=nftables, takeOver=true, -iptables",
        "mode=nftables, takeOver=false, ''",
        "mode=iptables, takeOver=false, -iptables",
        "mode=, takeOver=false, -iptables"
    })
    void the_image_has_the_programs_that_are_needed(String mode, String takeOver, String programs)
            throws Exception {
        PodSpec pod =
                Manifests.of(rendered(mode, takeOver))
                        .only(DaemonSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec();
        String version = version();
        assertThat(pod.getContainers())
                .extracting(Container::getImage)
                .containsExactly("pointsman:" + version + programs);
        assertThat(pod.getInitContainers())
                .extracting(Container::getImage)
                .containsExactly("pointsman:" + version + programs);
    }

    @ParameterizedTest
    @CsvSource({"false, NET_ADMIN", "true, NET_ADMIN;NET_RAW"})
    void raw_packets_are_allowed_where_iptables_legacy_is_in_use(String legacy, String rights)
            throws Exception {
        Container container =
                Manifests.of(rendered("legacyIptables=" + legacy))
                        .checked()
                        .only(DaemonSet.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst();
        assertThat(container.getSecurityContext().getCapabilities().getAdd())
                .containsExactly(rights.split(";"));
    }

    /// Of the program, as the build has it.
    private static String version() throws IOException {
        return Files.readString(Path.of("../pom.xml"))
                .replaceAll("(?s).*?<version>([^<]*)</version>.*", "$1");
    }

    @Test
    void the_rules_of_the_operator_are_those_of_the_plain_file() throws Exception {
        Map<?, ?> rule =
                Manifests.of(rendered("monitoring.prometheusRule=true")).only("PrometheusRule");
        String plain = Files.readString(Path.of(CHART, "files/alerts.yaml"));
        assertThat(Manifests.of(plain).objects()).containsExactly((Map<?, ?>) rule.get("spec"));
    }

    @Test
    void the_dashboard_is_that_of_the_plain_file() throws Exception {
        ConfigMap map =
                Manifests.of(rendered("monitoring.dashboard=true")).checked().only(ConfigMap.class);
        assertThat(map.getData().get("pointsman.json"))
                .isEqualToIgnoringWhitespace(
                        Files.readString(Path.of(CHART, "files/dashboard.json")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mode=userspace",
                "moed=nftables",
                "image.tagg=1",
                "image.digest=0000",
                "healthz.port=65536",
                "monitoring.podMonitor=yes"
            })
    void a_value_that_makes_no_sense_is_refused(String setting) throws Exception {
        Tool.Ended ended = Tool.helm().tried("template", "pointsman", CHART, "--set", setting);
        assertThat(ended.code()).isNotZero();
        assertThat(ended.err()).contains(setting.replaceAll("=.*", "").replaceAll(".*\\.", ""));
    }

    @Test
    void helm_has_nothing_against_it() throws Exception {
        Tool.helm().run("lint", "--strict", "--quiet", CHART);
    }
}
