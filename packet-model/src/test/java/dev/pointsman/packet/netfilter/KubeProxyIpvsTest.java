package dev.pointsman.packet.netfilter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.read.IpsetSaveReader;
import dev.pointsman.packet.read.IptablesSaveReader;
import dev.pointsman.packet.read.IpvsadmSaveReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What kube-proxy's IPVS mode programs for one Service with a cluster IP, a node port and a load
/// balancer that only some may use (behaviour document 3.3.5), written by hand in the form in which
/// the tools print it.
final class KubeProxyIpvsTest {
    private static final Ruleset RULES =
            IptablesSaveReader.read(
                            new StringReader(text("iptables")),
                            Family.IPV4,
                            IpsetSaveReader.read(text("ipset")))
                    .with(
                            IpvsTable.of(
                                    IpvsadmSaveReader.read(text("ipvsadm")),
                                    new TreeSet<>(
                                            Set.of(
                                                    IpAddress.parse("10.96.0.1"),
                                                    IpAddress.parse("203.0.113.80")))));

    private static String text(String tool) {
        String name = "/dev/pointsman/packet/read/kube-proxy-ipvs." + tool;
        try (InputStream in = KubeProxyIpvsTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Paths follow(String from, String to, int port, Memory memory) {
        Packet packet =
                new Packet(
                        IpAddress.parse(from),
                        IpAddress.parse(to),
                        new Transport.Ported(Transport.TCP, 40000, port));
        Entry entry =
                from.equals(to)
                        ? new Entry.Sent()
                        : from.equals(Town.ENDPOINT_1)
                                ? Entry.Arriving.by("ends")
                                : Town.entry(from);
        return new PacketPath(Town.NODE, RULES).follow(packet, entry, memory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.8.1.1     | 10.96.0.1    | 80    | ends 10.8.1.1>10.8.0.1:8080 1/2, eth1 10.8.1.1>10.7.0.50:8080 1/2",
                "10.8.0.1     | 10.96.0.1    | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.8.0.1>10.7.0.50:8080 1/2",
                "10.9.0.2     | 10.96.0.1    | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.96.0.1    | 10.96.0.1    | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.100   | 10.96.0.1    | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.100   | 10.96.0.1    | 81    | rejected PORT_UNREACHABLE",
                "10.9.0.100   | 10.9.0.2     | 30080 | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.2     | 10.9.0.2     | 30080 | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.100   | 203.0.113.80 | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "198.51.100.7 | 203.0.113.80 | 80    | dropped RULE",
                "203.0.113.80 | 203.0.113.80 | 80    | dropped RULE",
                "10.9.0.100   | 203.0.113.80 | 443   | rejected PORT_UNREACHABLE",
            })
    void packets_go_where_kube_proxy_sends_them(String from, String to, int port, String ends) {
        Paths paths = follow(from, to, port, Memory.blank());
        assertThat(Town.ends(paths)).isEqualTo(ends);
        assertThat(paths.isTrustworthy()).isTrue();
        assertThat(paths.paths()).noneMatch(path -> path.reply() == Path.Reply.LOST);
    }

    @Test
    void a_client_is_bound_at_one_address_only() {
        Path first = follow("10.9.0.100", "203.0.113.80", 80, Memory.blank()).paths().getFirst();
        Memory left = first.memory().withoutConnections();
        assertThat(follow("10.9.0.100", "203.0.113.80", 80, left).fates()).hasSize(1);
        assertThat(follow("10.9.0.100", "10.96.0.1", 80, left).fates()).hasSize(2);
    }
}
