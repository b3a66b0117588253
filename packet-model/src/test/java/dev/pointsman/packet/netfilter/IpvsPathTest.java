package dev.pointsman.packet.netfilter;

import static dev.pointsman.packet.netfilter.Town.CLIENT;
import static dev.pointsman.packet.netfilter.Town.ENDPOINT_1;
import static dev.pointsman.packet.netfilter.Town.HOST;
import static dev.pointsman.packet.netfilter.Town.POD;
import static dev.pointsman.packet.netfilter.Town.ends;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.read.NodeScriptReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IpvsPathTest {
    private static final String VIP = "10.96.0.1";

    /// A real server beyond the uplink.
    private static final String REMOTE = "10.7.0.50";

    private static final String SCRIPT =
            """
            ipset restore -exist <<'EOF'
            create KUBE-CLUSTER-IP hash:ip,port family inet hashsize 1024 maxelem 65536
            add KUBE-CLUSTER-IP 10.96.0.1,tcp:80
            create KUBE-LOOP-BACK hash:ip,port,ip family inet
            add KUBE-LOOP-BACK 10.8.0.1,tcp:8080,10.8.0.1
            create KUBE-IPVS-IPS hash:ip family inet
            add KUBE-IPVS-IPS 10.96.0.1
            create KUBE-NODE-PORT-TCP bitmap:port range 0-65535
            add KUBE-NODE-PORT-TCP 30080
            EOF
            ip -batch - <<'EOF'
            link add kube-ipvs0 type dummy
            address add 10.96.0.1/32 dev kube-ipvs0
            EOF
            # One Service.
            ipvsadm -R <<'EOF'
            -A -t 10.96.0.1:80 -s rr
            -a -t 10.96.0.1:80 -r 10.8.0.1:8080 -m -w 1
            -a -t 10.96.0.1:80 -r 10.7.0.50:8080 -m -w 1
            -A -t 10.9.0.2:30080 -s rr
            -a -t 10.9.0.2:30080 -r 10.8.0.1:8080 -m -w 1
            -a -t 10.9.0.2:30080 -r 10.7.0.50:8080 -m -w 1
            EOF
            iptables-restore --noflush <<'EOF'
            *nat
            :KUBE-SERVICES - [0:0]
            :KUBE-POSTROUTING - [0:0]
            -A PREROUTING -j KUBE-SERVICES
            -A OUTPUT -j KUBE-SERVICES
            -A POSTROUTING -j KUBE-POSTROUTING
            -A KUBE-SERVICES ! -s 10.8.0.0/16 -m set --match-set KUBE-CLUSTER-IP dst,dst -j MARK --set-xmark 0x4000/0x4000
            -A KUBE-SERVICES -m addrtype --dst-type LOCAL -m set --match-set KUBE-NODE-PORT-TCP dst -j MARK --set-xmark 0x4000/0x4000
            -A KUBE-POSTROUTING -m set --match-set KUBE-LOOP-BACK dst,dst,src -j MASQUERADE
            -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
            -A KUBE-POSTROUTING -j MASQUERADE
            COMMIT
            *filter
            :KUBE-IPVS-FILTER - [0:0]
            -A INPUT -j KUBE-IPVS-FILTER
            -A KUBE-IPVS-FILTER -m set --match-set KUBE-CLUSTER-IP dst,dst -j RETURN
            -A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set KUBE-IPVS-IPS dst -j REJECT
            COMMIT
            EOF
            """;

    private static Packet tcp(String from, String to, int port) {
        return tcp(from, 40000, to, port);
    }

    private static Packet tcp(String from, int fromPort, String to, int port) {
        return new Packet(
                IpAddress.parse(from),
                IpAddress.parse(to),
                new Transport.Ported(Transport.TCP, fromPort, port));
    }

    private static Paths follow(String script, Packet packet, Memory memory) {
        return new PacketPath(Town.NODE, NodeScriptReader.read(script, packet.family()).ruleset())
                .follow(packet, entry(packet.source().toString()), memory);
    }

    private static Entry entry(String sender) {
        return switch (sender) {
            case ENDPOINT_1, "fd08::1" -> Entry.Arriving.by("ends");
            case REMOTE -> Entry.Arriving.by("eth1");
            case VIP, "127.0.0.1" -> new Entry.Sent();
            default -> Town.entry(sender);
        };
    }

    private static Paths follow(String script, Packet packet) {
        Paths paths = follow(script, packet, Memory.blank());
        assertThat(paths.paths()).allMatch(path -> path.notes().isEmpty());
        return paths;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.8.1.1   | 10.96.0.1 | 80    | ends 10.8.1.1>10.8.0.1:8080 1/2, eth1 10.8.1.1>10.7.0.50:8080 1/2",
                "10.9.0.100 | 10.96.0.1 | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.2   | 10.96.0.1 | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.96.0.1  | 10.96.0.1 | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.100 | 10.9.0.2  | 30080 | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.9.0.2   | 10.9.0.2  | 30080 | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.7.0.254>10.7.0.50:8080 1/2",
                "10.8.0.1   | 10.96.0.1 | 80    | ends 10.8.0.254>10.8.0.1:8080 1/2, eth1 10.8.0.1>10.7.0.50:8080 1/2",
                "10.8.1.1   | 10.96.0.1 | 81    | rejected PORT_UNREACHABLE",
                "10.8.1.1   | 10.9.0.2  | 22    | here 10.8.1.1>10.9.0.2:22",
                "127.0.0.1  | 10.9.0.2  | 30080 | dropped NOT_BALANCED",
            })
    void packets_go_to_real_servers(String from, String to, int port, String ends) {
        Paths paths = follow(SCRIPT, tcp(from, to, port));
        assertThat(ends(paths)).isEqualTo(ends);
        assertThat(paths.paths()).noneMatch(path -> path.reply() == Path.Reply.LOST);
        assertThat(paths.paths()).allMatch(path -> path.isUntouched() == ends.startsWith("here"));
    }

    @Test
    void the_answer_of_a_real_server_elsewhere_is_lost_unless_it_is_masqueraded() {
        String script = SCRIPT.replace("-j KUBE-POSTROUTING", "-j ACCEPT");
        assertThat(follow(script, tcp(CLIENT, VIP, 80)).paths())
                .filteredOn(
                        path ->
                                path.fate() instanceof Fate.Left(String device, _)
                                        && device.equals("eth1"))
                .extracting(Path::reply)
                .containsExactly(Path.Reply.LOST);
    }

    @Test
    void nobody_answers_to_an_address_of_a_virtual_server() {
        String script = SCRIPT.replace("-j KUBE-POSTROUTING", "-j ACCEPT");
        assertThat(follow(script, tcp(VIP, VIP, 80)).paths())
                .extracting(path -> path.fate() + " " + path.reply())
                .containsExactly(
                        "Left[device=ends, packet=6 10.96.0.1 40000 -> 10.8.0.1 8080] FINDS_BACK",
                        "Left[device=eth1, packet=6 10.96.0.1 40000 -> 10.7.0.50 8080] LOST");
    }

    @Test
    void a_real_server_on_the_node_itself_sees_the_sender() {
        String script =
                SCRIPT.replace("-r 10.8.0.1:8080", "-r 10.9.0.2:6443")
                        .replace("-a -t 10.96.0.1:80 -r 10.7.0.50:8080 -m -w 1\n", "");
        Paths paths = follow(script, tcp(CLIENT, VIP, 80));
        assertThat(ends(paths)).isEqualTo("here 10.9.0.100>10.9.0.2:6443");
        assertThat(paths.paths().getFirst().isUntouched()).isFalse();
        assertThat(ends(follow(script, tcp(HOST, VIP, 80))))
                .isEqualTo("here 10.9.0.2>10.9.0.2:6443");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rr              | 1 | 3 | ends 1/2, eth1 1/2",
                "wrr             | 1 | 3 | ends 1/4, eth1 3/4",
                "lc              | 2 | 3 | ends 1/2, eth1 1/2",
                "wlc             | 2 | 3 | ends 2/5, eth1 3/5",
                "sed             | 2 | 3 | ends 2/5, eth1 3/5",
                "lblcr           | 2 | 3 | ends 2/5, eth1 3/5",
                "fo              | 2 | 3 | eth1",
                "rr              | 0 | 3 | eth1",
                "wrr             | 0 | 3 | eth1",
                "rr              | 0 | 0 | rejected PORT_UNREACHABLE",
                "sh              | 1 | 3 | ends 1/4, eth1 3/4",
                "sh              | 0 | 3 | eth1 3/4, rejected PORT_UNREACHABLE 1/4",
                "sh -b sh-fallback | 0 | 3 | eth1",
                "mh -b mh-port   | 0 | 1 | eth1 1/2, rejected PORT_UNREACHABLE 1/2",
                "mh -b mh-fallback,mh-port | 0 | 1 | eth1",
                "dh              | 9 | 1 | ends 1/2, eth1 1/2",
            })
    void schedulers_share_connections_out(
            String scheduler, int weight, int otherWeight, String ends) {
        String script =
                SCRIPT.replace("-A -t 10.96.0.1:80 -s rr", "-A -t 10.96.0.1:80 -s " + scheduler)
                        .replace("10.8.0.1:8080 -m -w 1", "10.8.0.1:8080 -m -w " + weight)
                        .replace("10.7.0.50:8080 -m -w 1", "10.7.0.50:8080 -m -w " + otherWeight);
        assertThat(ends(follow(script, tcp(POD, VIP, 80))).replaceAll(" 10[^ ,]*>[^ ,]*", ""))
                .isEqualTo(ends);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-s ovf           | 17 | not understood: scheduler ovf",
                "-s mine          | 17 | not understood: scheduler mine",
                "-s rr --ops      | 17 | not understood: --ops",
                "-s rr --pe sip   | 17 | not understood: --pe sip",
                "-s rr -b flag-3  | 17 | not understood: --sched-flags flag-3",
            })
    void what_is_not_modelled_is_not_trusted(String options, int line, String text) {
        String script = SCRIPT.replace("-A -t 10.96.0.1:80 -s rr", "-A -t 10.96.0.1:80 " + options);
        assertThat(follow(script, tcp(POD, VIP, 80), Memory.blank()).paths())
                .isNotEmpty()
                .allMatch(path -> path.notes().equals(List.of(new Path.Note(line, text))));
        assertThat(follow(script, tcp(POD, HOST, 30080)).isTrustworthy()).isTrue();
    }

    @Test
    void a_real_server_that_is_not_translated_to_is_not_trusted() {
        String script = SCRIPT.replace("10.8.0.1:8080 -m", "10.8.0.1:8080 -g");
        assertThat(follow(script, tcp(POD, VIP, 80), Memory.blank()).paths())
                .extracting(path -> path.notes().size())
                .containsExactlyInAnyOrder(1, 0);
    }

    @Test
    void filters_of_input_come_before_ipvs_and_those_of_output_see_the_real_server() {
        String before =
                SCRIPT.replace(
                        "-A INPUT -j KUBE-IPVS-FILTER",
                        "-A INPUT -d 10.96.0.1 -j DROP\n-A INPUT -j KUBE-IPVS-FILTER");
        assertThat(ends(follow(before, tcp(POD, VIP, 80)))).isEqualTo("dropped RULE");
        String behind =
                SCRIPT.replace(
                        "-A INPUT -j KUBE-IPVS-FILTER",
                        "-A INPUT -j KUBE-IPVS-FILTER\n-A OUTPUT -d 10.8.0.1 -j DROP");
        assertThat(ends(follow(behind, tcp(POD, VIP, 80))))
                .isEqualTo("dropped RULE 1/2, eth1 10.8.1.1>10.7.0.50:8080 1/2");
    }

    @Test
    void rules_tell_what_ipvs_has_translated() {
        String script =
                SCRIPT.replace(
                        "-A INPUT -j KUBE-IPVS-FILTER",
                        """
                        -A OUTPUT -m ipvs ! --ipvs -j ACCEPT
                        -A OUTPUT -m ipvs --vaddr 10.96.0.9 -j ACCEPT
                        -A OUTPUT -s 10.8.1.1 -m ipvs --vaddr 10.96.0.1 --vproto 6 --vport 80 -j DROP
                        -A INPUT -j KUBE-IPVS-FILTER""");
        assertThat(ends(follow(script, tcp(POD, VIP, 80)))).isEqualTo("dropped RULE");
        assertThat(ends(follow(script, tcp(POD, HOST, 30080)))).startsWith("ends ");
        assertThat(ends(follow(script, tcp(HOST, ENDPOINT_1, 30080)))).startsWith("ends ");
    }

    @Test
    void options_of_the_match_that_nobody_uses_are_not_trusted() {
        String script =
                SCRIPT.replace(
                        "-A INPUT -j KUBE-IPVS-FILTER",
                        "-A OUTPUT -m ipvs --vdir ORIGINAL -j DROP\n-A INPUT -j KUBE-IPVS-FILTER");
        assertThat(follow(script, tcp(POD, VIP, 80), Memory.blank()).isTrustworthy()).isFalse();
    }

    @Test
    void what_nat_makes_of_the_destination_is_what_ipvs_looks_for() {
        String script =
                SCRIPT.replace(
                        "-A PREROUTING -j KUBE-SERVICES",
                        "-A PREROUTING -d 203.0.113.9 -p tcp --dport 8080 -j DNAT"
                                + " --to-destination 10.96.0.1:80\n-A PREROUTING -j KUBE-SERVICES");
        Paths paths = follow(script, tcp(POD, "203.0.113.9", 8080));
        assertThat(ends(paths))
                .isEqualTo("ends 10.8.1.1>10.8.0.1:8080 1/2, eth1 10.8.1.1>10.7.0.50:8080 1/2");
        Path path = paths.paths().getFirst();
        Packet answer = ((Fate.Left) path.fate()).packet().answer();
        assertThat(ends(follow(script, answer, path.memory())))
                .isEqualTo("pod0 203.0.113.9>10.8.1.1:40000");
    }

    @ParameterizedTest
    @CsvSource({
        "10.8.1.1, pod0 10.96.0.1>10.8.1.1:40000",
        "10.9.0.100, eth0 10.96.0.1>10.9.0.100:40000",
        "10.9.0.2, here 10.96.0.1>10.9.0.2:40000",
    })
    void answers_come_from_the_virtual_server(String from, String end) {
        for (Path path : follow(SCRIPT, tcp(from, VIP, 80)).paths()) {
            Packet answer = ((Fate.Left) path.fate()).packet().answer();
            assertThat(ends(follow(SCRIPT, answer, path.memory()))).isEqualTo(end);
        }
    }

    @Test
    void a_real_server_on_the_node_answers_from_the_virtual_server() {
        String script = SCRIPT.replace("-r 10.8.0.1:8080", "-r 10.9.0.2:6443");
        Path path =
                follow(script, tcp(CLIENT, VIP, 80)).paths().stream()
                        .filter(each -> each.fate() instanceof Fate.Received)
                        .findFirst()
                        .orElseThrow();
        Packet answer = ((Fate.Received) path.fate()).packet().answer();
        assertThat(ends(follow(script, answer, path.memory())))
                .isEqualTo("eth0 10.96.0.1>10.9.0.100:40000");
    }

    @Test
    void a_connection_keeps_its_real_server() {
        for (Path path : follow(SCRIPT, tcp(POD, VIP, 80)).paths()) {
            assertThat(follow(SCRIPT, tcp(POD, VIP, 80), path.memory()).fates())
                    .isEqualTo(Map.of(path.fate(), Fraction.ONE));
        }
    }

    @Test
    void a_connection_whose_real_server_is_gone_is_dropped_until_conntrack_has_forgotten_it() {
        String script = SCRIPT.replace("-a -t 10.96.0.1:80 -r 10.8.0.1:8080 -m -w 1\n", "");
        Path path = follow(SCRIPT, tcp(POD, VIP, 80)).paths().getFirst();
        assertThat(ends(follow(script, tcp(POD, VIP, 80), path.memory())))
                .isEqualTo("dropped NOT_BALANCED");
        assertThat(ends(follow(script, tcp(POD, VIP, 80), path.memory().later(200_000))))
                .isEqualTo("eth1 10.8.1.1>10.7.0.50:8080");
    }

    @Test
    void a_client_keeps_its_real_server_for_a_time_and_while_that_has_a_weight() {
        String script =
                SCRIPT.replace("-A -t 10.96.0.1:80 -s rr", "-A -t 10.96.0.1:80 -s rr -p 60");
        Packet again = tcp(POD, 40001, VIP, 80);
        for (Path path : follow(script, tcp(POD, VIP, 80)).paths()) {
            Memory left = path.memory().withoutConnections();
            assertThat(follow(script, again, left.later(59_000)).fates()).hasSize(1);
            assertThat(follow(script, again, left.later(61_000)).fates()).hasSize(2);
            assertThat(follow(script, tcp(CLIENT, VIP, 80), left).fates()).hasSize(2);
        }
        Memory left =
                follow(script, tcp(POD, VIP, 80)).paths().getFirst().memory().withoutConnections();
        String draining = script.replace("10.8.0.1:8080 -m -w 1", "10.8.0.1:8080 -m -w 0");
        assertThat(ends(follow(draining, again, left))).startsWith("eth1 ");
        String kept = "sysctl -w net.ipv4.vs.expire_quiescent_template=0\n" + draining;
        assertThat(ends(follow(kept, again, left))).startsWith("ends ");
    }

    @Test
    void a_netmask_makes_neighbours_one_client() {
        String script =
                SCRIPT.replace(
                        "-A -t 10.96.0.1:80 -s rr",
                        "-A -t 10.96.0.1:80 -s rr -p 60 -M 255.255.255.0");
        Memory left = follow(script, tcp(POD, VIP, 80)).paths().getFirst().memory();
        assertThat(ends(follow(script, tcp("10.8.1.7", VIP, 80), left))).startsWith("ends ");
    }

    @Test
    void a_mark_is_looked_at_before_the_address() {
        String script =
                SCRIPT.replace(
                                "-A -t 10.96.0.1:80 -s rr",
                                """
                                -A -f 7 -s rr
                                -a -f 7 -r 10.8.0.2:99 -m -w 1
                                -A -t 10.96.0.1:80 -s rr""")
                        .replace(
                                "-A PREROUTING -j KUBE-SERVICES",
                                "-A PREROUTING -s 10.8.1.1 -j MARK --set-mark 7");
        assertThat(ends(follow(script, tcp(POD, VIP, 80)))).isEqualTo("ends 10.8.1.1>10.8.0.2:99");
        assertThat(ends(follow(script, tcp(CLIENT, VIP, 80)))).contains("10.7.0.50:8080");
        String sticky = script.replace("-A -f 7 -s rr", "-A -f 7 -s rr -p 60");
        assertThat(ends(follow(sticky, tcp(POD, VIP, 80)))).isEqualTo("ends 10.8.1.1>10.8.0.2:80");
    }

    @Test
    void port_0_takes_what_no_other_virtual_server_has_if_it_is_persistent() {
        String script =
                SCRIPT.replace(
                        "-A KUBE-IPVS-FILTER -m conntrack",
                        "-A KUBE-IPVS-FILTER -p udp -m conntrack");
        String catching =
                script.replace(
                        "-A -t 10.96.0.1:80 -s rr",
                        """
                        -A -t 10.96.0.1:0 -s rr -p 60
                        -a -t 10.96.0.1:0 -r 10.8.0.2:0 -m -w 1
                        -A -t 10.96.0.1:80 -s rr""");
        assertThat(ends(follow(catching, tcp(POD, VIP, 99))))
                .isEqualTo("ends 10.8.1.1>10.8.0.2:99");
        assertThat(ends(follow(catching, tcp(POD, VIP, 80)))).contains("10.7.0.50:8080");
        assertThat(ends(follow(catching.replace(" -p 60", ""), tcp(POD, VIP, 99))))
                .isEqualTo("rejected PORT_UNREACHABLE");
    }

    @Test
    void without_conntrack_nothing_is_masqueraded() {
        assertThat(
                        ends(
                                follow(
                                        "sysctl -w net.ipv4.vs.conntrack=0\n" + SCRIPT,
                                        tcp(CLIENT, VIP, 80))))
                .isEqualTo("ends 10.9.0.100>10.8.0.1:8080 1/2, eth1 10.9.0.100>10.7.0.50:8080 1/2");
    }

    @Test
    void addresses_that_the_node_does_not_have_are_routed_past_ipvs() {
        String script = SCRIPT.replace("address add 10.96.0.1/32", "address add 10.96.0.2/32");
        assertThat(ends(follow(script, tcp(POD, VIP, 80)))).isEqualTo("eth1 10.8.1.1>10.96.0.1:80");
    }

    @Test
    void ipvs_sends_on_without_forwarding_but_the_answer_is_lost() {
        Node still =
                new Node(
                        Town.NODE.interfaces(),
                        Town.NODE.routes(),
                        Node.Forwarding.OFF,
                        Town.NODE.localnet());
        Paths paths =
                new PacketPath(still, NodeScriptReader.read(SCRIPT, Family.IPV4).ruleset())
                        .follow(tcp(CLIENT, VIP, 80), entry(CLIENT), Memory.blank());
        assertThat(paths.paths()).allMatch(path -> path.reply() == Path.Reply.LOST);
    }

    @Test
    void ipv6_is_balanced_alike() {
        String script =
                """
                ip -batch - <<'EOF'
                address add fd96::1/128 dev kube-ipvs0
                EOF
                ipvsadm -R <<'EOF'
                -A -t [fd96::1]:80 -s rr
                -a -t [fd96::1]:80 -r [fd08::1]:8080 -m -w 1
                EOF
                ip6tables-restore --noflush <<'EOF'
                *nat
                -A POSTROUTING -o ends -j MASQUERADE
                COMMIT
                EOF
                """;
        assertThat(ends(follow(script, tcp("fd09::100", "fd96::1", 80))))
                .isEqualTo("ends fd08::254>fd08::1:8080");
    }

    @Test
    void a_hop_says_whom_the_virtual_server_chose() {
        Path path = follow(SCRIPT, tcp(POD, VIP, 80)).paths().getFirst();
        assertThat(path.hops())
                .filteredOn(Hop.ByVirtualServer.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        Hop.ByVirtualServer.class,
                        hop -> {
                            assertThat(hop.hook()).isEqualTo(Hook.INPUT);
                            assertThat(hop.server().line()).isEqualTo(17);
                            assertThat(hop.choice())
                                    .isInstanceOfSatisfying(
                                            Hop.Choice.Scheduled.class,
                                            choice -> {
                                                assertThat(choice.among()).isEqualTo(2);
                                                assertThat(choice.server().line()).isEqualTo(18);
                                            });
                        });
    }
}
