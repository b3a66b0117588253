package dev.pointsman.iptables;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.scenario.Scenarios;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;

/// What a real kube-proxy wrote for the shop example, as `iptables-save -c` printed it.
final class KubeProxyDump {
    private KubeProxyDump() {}

    /// Without counters, and without the rules that count with nfacct: their counters are not in
    /// the dump.
    static String of(Family family, Variant variant) {
        String file =
                "/dev/pointsman/packet/read/kube-proxy/shop."
                        + new Programs(family, variant).name("");
        try (InputStream dump =
                Objects.requireNonNull(Scenarios.class.getResourceAsStream(file), file)) {
            return new String(dump.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.contains("nfacct"))
                    .map(line -> line.replaceFirst("^\\[\\d+:\\d+] ", ""))
                    .collect(Collectors.joining("\n", "", "\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
