package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Connection;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Node;
import dev.pointsman.packet.netfilter.Scheduler;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.VirtualServer;
import dev.pointsman.packet.netfilter.VirtualServer.Forwarding;
import dev.pointsman.packet.netfilter.VirtualServer.Persistence;
import dev.pointsman.packet.netfilter.VirtualServer.RealServer;
import dev.pointsman.packet.netfilter.VirtualServer.Traffic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Readers of everything but rules.
final class NodeReadersTest {

    @Test
    void ipsets_of_a_kernel_are_read() throws IOException {
        Ipsets ipsets = IpsetSaveReader.read(NftReaderTest.resource("ipset.save"));
        assertThat(
                        ipsets.sets().entrySet().stream()
                                .filter(e -> e.getValue() instanceof Ipsets.Ipset.Opaque))
                .extracting(Map.Entry::getKey)
                .containsExactly("all", "macs", "odd");
        assertThat(ipsets.sets().get("macs"))
                .isEqualTo(new Ipsets.Ipset.Opaque("of kind bitmap:ip,mac"));
        assertThat(ipsets.sets().get("odd")).isEqualTo(new Ipsets.Ipset.Opaque("with nomatch"));
        Ipsets.Ipset.Understood cluster = understood(ipsets, "KUBE-CLUSTER-IP");
        assertThat(cluster.fields()).containsExactly(Ipsets.Field.ADDRESS, Ipsets.Field.PORT);
        assertThat(cluster.set().timeout()).isEqualTo(Element.FOREVER);
        List<Value> dns =
                List.of(Value.of(IpAddress.parse("10.96.0.12")), Value.of(17), Value.of(53));
        assertThat(cluster.set().elements().find(dns, 0)).isPresent();
        assertThat(cluster.set().elements().find(dns, 499_000)).isEmpty();
    }

    private static Ipsets.Ipset.Understood understood(Ipsets ipsets, String name) {
        if (ipsets.sets().get(name) instanceof Ipsets.Ipset.Understood understood) {
            return understood;
        }
        throw new AssertionError(name + " of " + ipsets);
    }

    @Test
    void a_list_of_like_sets_has_what_any_of_them_has() {
        Ipsets ipsets =
                IpsetSaveReader.read(
                        """
                        create a hash:net family inet
                        add a 10.0.0.0/8
                        create b hash:ip family inet
                        add b 192.0.2.1
                        create both list:set size 8
                        add both a
                        add both b
                        """);
        Ipsets.Ipset.Understood both = understood(ipsets, "both");
        assertThat(both.set().elements().all()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'add a 10.0.0.1' | 1:5: expected a set that was created before, found a",
                "'create a hash:ip\nadd a 10.0.0' | 2:7: expected an address, found 10.0.0",
                "'create a hash:ip,port\nadd a 10.0.0.1' | 2:7: expected an element of 2 parts, found 10.0.0.1",
                "'create a hash:ip\nadd a 10.0.0.1 what' | 2:16: expected an option of an element, found what",
                "'create a hash:ip\ncreate a hash:ip' | 2:8: expected a name that is new, found a",
                "'destroy a' | 1:9: expected a set that was created before, found a",
                "'create a hash:ip\ndel a 10.0.0.1' | 2:7: expected an element that was added before, found 10.0.0.1",
                "'rename a b' | 1:1: expected create, add, del, flush, swap or destroy, found rename",
            })
    void mistakes_in_ipsets_are_placed(String text, String message) {
        assertThatThrownBy(() -> IpsetSaveReader.read(text)).hasMessage(message);
    }

    @Test
    void virtual_servers_are_read() {
        List<VirtualServer> servers =
                IpvsadmSaveReader.read(
                        """
                        -A -t 10.96.0.1:443 -s rr
                        -a -t 10.96.0.1:443 -r 192.0.2.10:6443 -m -w 1
                        -A -u 10.96.0.12:53 -s wrr -p 10800 -M 255.255.255.0
                        -A --sctp-service [fd00:10:96::a]:80 -s mh -b mh-port
                        -a --sctp-service [fd00:10:96::a]:80 -r [fd00:8::1]:8080 -g -w 0 -x 10 -y 5
                        -A -f 7 -6 -s rr -p
                        """);
        assertThat(servers)
                .containsExactly(
                        new VirtualServer(
                                new Traffic.To(6, IpAddress.parse("10.96.0.1"), 443),
                                Scheduler.of("rr"),
                                new Persistence(0, 32),
                                List.of(
                                        new RealServer(
                                                IpAddress.parse("192.0.2.10"),
                                                6443,
                                                Forwarding.MASQUERADING,
                                                1,
                                                2)),
                                List.of(),
                                1),
                        new VirtualServer(
                                new Traffic.To(17, IpAddress.parse("10.96.0.12"), 53),
                                Scheduler.of("wrr"),
                                new Persistence(10_800, 24),
                                List.of(),
                                List.of(),
                                3),
                        new VirtualServer(
                                new Traffic.To(132, IpAddress.parse("fd00:10:96::a"), 80),
                                new Scheduler("mh", new TreeSet<>(Set.of(Scheduler.Flag.PORT))),
                                new Persistence(0, 128),
                                List.of(
                                        new RealServer(
                                                IpAddress.parse("fd00:8::1"),
                                                8080,
                                                Forwarding.DIRECT_ROUTING,
                                                0,
                                                5)),
                                List.of("-x of fd00:8::1"),
                                4),
                        new VirtualServer(
                                new Traffic.Marked(7, Family.IPV6),
                                Scheduler.of("rr"),
                                new Persistence(300, 128),
                                List.of(),
                                List.of(),
                                6));
    }

    @Test
    void commands_of_ipvsadm_are_done_in_order() {
        List<VirtualServer> servers =
                IpvsadmSaveReader.read(
                        """
                        -A -t 10.96.0.9:80 -s rr
                        -C
                        -A -t 10.96.0.1:80 -s rr
                        -a -t 10.96.0.1:80 -r 10.8.0.1:8080 -m -w 1
                        -a -t 10.96.0.1:80 -r 10.8.0.2:8080 -m -w 1
                        -A -t 10.96.0.2:80 -s rr
                        -E -t 10.96.0.1:80 -s sh -b sh-fallback -p 60
                        -e -t 10.96.0.1:80 -r 10.8.0.1:8080 -m -w 0
                        -d -t 10.96.0.1:80 -r 10.8.0.2:8080
                        -D -t 10.96.0.2:80
                        """);
        assertThat(servers)
                .containsExactly(
                        new VirtualServer(
                                new Traffic.To(6, IpAddress.parse("10.96.0.1"), 80),
                                new Scheduler("sh", new TreeSet<>(Set.of(Scheduler.Flag.FALLBACK))),
                                new Persistence(60, 32),
                                List.of(
                                        new RealServer(
                                                IpAddress.parse("10.8.0.1"),
                                                8080,
                                                Forwarding.MASQUERADING,
                                                0,
                                                8)),
                                List.of(),
                                3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'-A -t 10.0.0.1:80\n-A -t 10.0.0.1:80' | 2:7: expected a virtual server that is new, found 10.0.0.1:80",
                "'-A -t 10.0.0.1:80\n-d -t 10.0.0.1:80 -r 10.0.0.2:80' | 2:22: expected a real server that was added before, found 10.0.0.2:80",
                "'-D -t 10.0.0.1:80' | 1:7: expected a virtual server that was added before, found 10.0.0.1:80",
                "'-a -t 10.0.0.1:80 -r 10.0.0.2:80 -m' | 1:7: expected a virtual server that was added before, found 10.0.0.1:80",
                "'-A -t 10.0.0.1:http -s rr' | 1:7: expected a number, found 10.0.0.1:http",
                "'-A -t 10.0.0.1:80 -s rr -q' | 1:25: expected an option of a virtual server, found -q",
                "'what' | 1:1: expected -A, -a, -E, -e, -D, -d or -C, found what",
            })
    void mistakes_in_virtual_servers_are_placed(String text, String message) {
        assertThatThrownBy(() -> IpvsadmSaveReader.read(text)).hasMessage(message);
    }

    @Test
    void both_forms_of_a_conntrack_listing_say_the_same() {
        List<ConntrackReader.Listed> plain = ConntrackReader.read(Shop.text("conntrack.txt"));
        assertThat(plain).isNotEmpty().allMatch(listed -> !listed.state().isEmpty());
        assertThat(ConntrackReader.read(Shop.text("conntrack-extended.txt"))).isEqualTo(plain);
    }

    @Test
    void what_conntrack_knows_of_a_translated_flow_is_read() {
        ConntrackReader.Listed listed =
                ConntrackReader.read(
                                "udp      17 29 src=10.8.0.9 dst=10.96.0.12 sport=40000 dport=53"
                                        + " packets=1 bytes=60 [UNREPLIED] src=10.8.1.1 dst=192.0.2.10"
                                        + " sport=53 dport=1025 packets=0 bytes=0 mark=16384 zone=3"
                                        + " use=1\n")
                        .getFirst();
        Connection connection = listed.connection();
        assertThat(connection.original())
                .isEqualTo(Shop.packet("udp", "10.8.0.9", "10.96.0.12", 53));
        assertThat(connection.reply().toString()).isEqualTo("17 10.8.1.1 53 -> 192.0.2.10 1025");
        int translated = Connection.SOURCE_TRANSLATED | Connection.DESTINATION_TRANSLATED;
        assertThat(connection.status() & (translated | Connection.SEEN_REPLY))
                .isEqualTo(translated);
        assertThat(connection.mark()).isEqualTo(0x4000);
        assertThat(connection.until()).isEqualTo(29_000);
        assertThat(listed.zone()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "icmp     1 29 src=192.0.2.10 dst=192.0.2.1 type=8 code=0 id=7 src=192.0.2.1 dst=192.0.2.10 type=0 code=0 id=7 mark=0 use=1 | 1/8/0 192.0.2.10 -> 192.0.2.1",
                "unknown  2 599 src=192.0.2.10 dst=224.0.0.22 [UNREPLIED] src=224.0.0.22 dst=192.0.2.10 mark=0 use=1 | 2 192.0.2.10 -> 224.0.0.22",
                "ipv6     10 tcp      6 299 ESTABLISHED src=fd00::1 dst=fd00::2 sport=1 dport=2 src=fd00::2 dst=fd00::1 sport=2 dport=1 [ASSURED] mark=0 zone=0 use=2 | 6 fd00::1 1 -> fd00::2 2",
                "tcp      6 src=10.0.0.1 dst=10.0.0.2 sport=1 dport=2 src=10.0.0.2 dst=10.0.0.1 sport=2 dport=1 [OFFLOAD] mark=0 secctx=a:b:c use=3 | 6 10.0.0.1 1 -> 10.0.0.2 2",
                "tcp      6 9 CLOSE src=10.0.0.1 dst=10.0.0.2 sport=1 dport=2 src=10.0.0.2 dst=10.0.0.1 sport=2 dport=1 [ASSURED] mark=0 delta-time=9 [start=Sun Nov 29 22:07:34 2026] use=1 | 6 10.0.0.1 1 -> 10.0.0.2 2",
            })
    void all_kinds_of_connections_are_read(String line, String original) {
        assertThat(ConntrackReader.read(line).getFirst().connection().original())
                .hasToString(original);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp 6 9 NONE src=10.0.0.1 | 1:26: expected two addresses of either direction, found the end of the line",
                "tcp six | 1:5: expected a number, found six",
                "tcp 6 9 NONE sport=9 | 1:14: expected src=, found sport=9",
                "tcp 6 9 NONE src=1 what=1 | 1:20: expected a field of conntrack, found what=1",
            })
    void mistakes_in_connections_are_placed(String line, String message) {
        assertThatThrownBy(() -> ConntrackReader.read(line)).hasMessage(message);
    }

    @Test
    void interfaces_come_in_the_order_of_their_indexes() {
        List<AddressReader.Device> devices = AddressReader.read(Shop.text("addresses.json"));
        assertThat(devices)
                .extracting(AddressReader.Device::name)
                .containsExactly("lo", "up0", "eth0", "pod0", "cni0");
        assertThat(devices).allMatch(device -> device.state() == AddressReader.State.UP);
        assertThat(devices.get(2).addresses())
                .contains(
                        new Node.Address(IpAddress.parse("192.0.2.10"), 24),
                        new Node.Address(IpAddress.parse("2001:db8::10"), 64));
    }

    @Test
    void routes_are_read_and_what_is_left_out_is_told() {
        Routes routes =
                RouteReader.read(
                        """
                        [{"dst":"default","gateway":"192.0.2.2","dev":"eth0","metric":200,"flags":[]},
                         {"dst":"default","gateway":"192.0.2.1","dev":"eth0","metric":100,"flags":[]},
                         {"dst":"10.8.0.0/24","dev":"cni0","protocol":"kernel","scope":"link","flags":[]},
                         {"type":"unreachable","dst":"10.9.0.0/16","metric":0,"flags":[]},
                         {"type":"local","dst":"192.0.2.10","dev":"eth0","table":"local","flags":[]},
                         {"dst":"10.7.0.0/24","dev":"eth1","flags":["dead","linkdown"]},
                         {"dst":"10.6.0.1","via":{"family":"inet6","host":"fe80::1"},"dev":"eth0","flags":["onlink"]},
                         {"dst":"10.5.0.0/24","dev":"eth0","table":"100","flags":[]},
                         {"dst":"10.4.0.0/24","flags":[],"nexthops":[
                            {"gateway":"192.0.2.3","dev":"eth0","weight":1,"flags":[]},
                            {"gateway":"192.0.2.4","dev":"eth0","weight":1,"flags":[]}]}]
                        """,
                        Family.IPV4);
        assertThat(routes.routes())
                .containsExactly(
                        direct("10.8.0.0/24", "cni0"),
                        new Node.Route(
                                Cidr.parse("10.9.0.0/16"),
                                new Node.NextHop.Nowhere(Node.AddressType.UNREACHABLE)),
                        direct("10.6.0.1/32", "eth0"),
                        via("10.4.0.0/24", "192.0.2.3"),
                        via("0.0.0.0/0", "192.0.2.1"),
                        via("0.0.0.0/0", "192.0.2.2"));
        assertThat(routes.unread())
                .extracting(unread -> unread.line() + " " + unread.text())
                .containsExactly(
                        "8 a route of table 100 to 10.5.0.0/24 is not modelled",
                        "9 a choice of next hops to 10.4.0.0/24 is not modelled");
    }

    private static Node.Route direct(String destination, String device) {
        return new Node.Route(Cidr.parse(destination), new Node.NextHop.Direct(device));
    }

    private static Node.Route via(String destination, String gateway) {
        return new Node.Route(
                Cidr.parse(destination), new Node.NextHop.Via(IpAddress.parse(gateway), "eth0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"dst\":\"10.0.0.0/33\",\"dev\":\"eth0\"}] | 1:9: expected a destination, found 10.0.0.0/33",
                "[{\"dst\":\"fd00::/8\",\"dev\":\"eth0\"}] | 1:9: expected a destination of the family, found fd00::/8",
                "[{\"dev\":\"eth0\"}] | 1:2: expected dst",
                "[{\"dst\":1}] | 1:9: expected a string, found 1",
                "[{\"dst\":\"default\",}] | 1:19: expected a name, found }",
                "[ | 1:2: expected a value, found the end of the text",
                "[] [] | 1:4: expected the end, found [",
                "[{\"a\":tru}] | 1:7: expected a value, found t",
            })
    void mistakes_in_routes_are_placed(String text, String message) {
        assertThatThrownBy(() -> RouteReader.read(text, Family.IPV4)).hasMessage(message);
    }

    @Test
    void settings_are_read_by_name() {
        Sysctls sysctls =
                SysctlReader.read(
                        """
                        net.ipv4.ip_forward = 1
                        net.ipv4.ip_local_port_range = 32768\t60999
                        kernel.domainname =
                        net.ipv4.conf.eth0/100.route_localnet = 1
                        sysctl: permission denied on key 'net.ipv4.tcp_fastopen_key'
                        """);
        assertThat(sysctls.forwarding(Family.IPV4)).isEqualTo(Node.Forwarding.ON);
        assertThat(sysctls.forwarding(Family.IPV6)).isEqualTo(Node.Forwarding.OFF);
        assertThat(sysctls.localnet("eth0")).isEqualTo(Node.Localnet.CONFINED);
        assertThat(sysctls.localnet("eth0.100")).isEqualTo(Node.Localnet.ROUTED);
        assertThat(sysctls.value("kernel.domainname")).contains("");
        assertThatThrownBy(() -> SysctlReader.read("a = 1\nwhat is this = 2\n"))
                .hasMessage("2:6: expected NAME = VALUE, found what is this = 2");
    }
}
