package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.config.ConfigReader;
import dev.pointsman.config.ConfigReading;
import dev.pointsman.config.Flag;
import dev.pointsman.config.ModeChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class KubeProxyFlagsTest {
    /// What a kube-proxy 1.37.2 with the flags `--kubeconfig`, `--hostname-override` and
    /// `--proxy-mode=nftables` answered at `/flagz`, on a machine with the address 192.0.2.10.
    private static final Path REAL = Path.of("src/test/resources/kube-proxy-flagz-1.37.2.txt");

    /// What is ours instead.
    private static final Map<String, String> OURS =
            Map.ofEntries(
                    // Not given here.
                    Map.entry("kubeconfig", ""),
                    Map.entry("hostname-override", ""),
                    // It writes down what it made of the default.
                    Map.entry("detect-local-mode", ""),
                    Map.entry("nodeport-addresses", "[]"),
                    // Defaults of our own.
                    Map.entry("feature-gates", "AllowServiceExternalIPs=true"),
                    Map.entry("iptables-min-sync-period", "0s"),
                    Map.entry("iptables-sync-period", "10m0s"),
                    Map.entry("ipvs-min-sync-period", "0s"),
                    Map.entry("ipvs-scheduler", "rr"),
                    Map.entry("ipvs-sync-period", "10m0s"),
                    // Fields without a default.
                    Map.entry("log-json-info-buffer-size", ""),
                    Map.entry("log-json-split-stream", ""),
                    Map.entry("log-text-info-buffer-size", ""),
                    Map.entry("log-text-split-stream", ""));

    @Test
    void flags_are_printed_as_kube_proxy_prints_them() throws Exception {
        SortedMap<String, String> ours =
                inForce(List.of(new Flag.Given(Flag.named("proxy-mode"), "nftables")));
        SortedMap<String, String> real = new TreeMap<>();
        for (String line : Files.readAllLines(REAL)) {
            int sign = line.indexOf('=');
            real.put(line.substring(0, sign), line.substring(sign + 1));
        }
        real.keySet().retainAll(ours.keySet());
        assertThat(real).hasSizeGreaterThan(45);
        real.putAll(OURS);
        assertThat(ours).containsAllEntriesOf(real);
    }

    @Test
    void values_are_those_in_force() {
        assertThat(
                        inForce(
                                List.of(
                                        new Flag.Given(Flag.named("kube-api-qps"), "7.5"),
                                        new Flag.Given(
                                                Flag.named("feature-gates"), "B=false,A=true"),
                                        new Flag.Given(
                                                Flag.named("nodeport-addresses"),
                                                "10.0.0.0/8,fd00::/8"),
                                        new Flag.Given(Flag.named("metrics-port"), "0"))))
                .containsEntry("kube-api-qps", "7.5")
                .containsEntry("feature-gates", "A=true,AllowServiceExternalIPs=true,B=false")
                .containsEntry("nodeport-addresses", "[10.0.0.0/8,fd00::/8]")
                .containsEntry("metrics-bind-address", "");
    }

    private static SortedMap<String, String> inForce(List<Flag.Given> flags) {
        return ConfigReader.read(flags, ModeChoice.OPEN) instanceof ConfigReading.Read read
                ? KubeProxyFlags.inForce(read.effective())
                : new TreeMap<>();
    }
}
