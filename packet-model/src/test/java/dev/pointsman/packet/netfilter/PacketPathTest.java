package dev.pointsman.packet.netfilter;

import static dev.pointsman.packet.netfilter.Town.CLIENT;
import static dev.pointsman.packet.netfilter.Town.ENDPOINT_1;
import static dev.pointsman.packet.netfilter.Town.HOST;
import static dev.pointsman.packet.netfilter.Town.POD;
import static dev.pointsman.packet.netfilter.Town.SERVICE;
import static dev.pointsman.packet.netfilter.Town.ends;
import static dev.pointsman.packet.netfilter.Town.follow;
import static dev.pointsman.packet.netfilter.Town.udp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.read.NftReader;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PacketPathTest {
    private static final String NAT =
            """
            table ip t {
                chain pre { type nat hook prerouting priority -100; jump dispatch; }
                chain out { type nat hook output priority -100; jump dispatch; }
                chain dispatch { ip daddr 172.30.0.1 udp dport 80 dnat to 10.8.0.1:8080; }
                chain post { type nat hook postrouting priority 100; meta mark & 0x4000 == 0x4000 masquerade; }
            }
            """;

    @ParameterizedTest
    @CsvSource({
        "10.9.0.100, 172.30.0.1, eth1 10.9.0.100>172.30.0.1:80",
        "10.9.0.100, 10.8.0.1, ends 10.9.0.100>10.8.0.1:80",
        "10.9.0.100, 10.9.0.2, here 10.9.0.100>10.9.0.2:80",
        "10.9.0.100, 127.0.0.1, dropped MARTIAN",
        "10.9.0.2, 127.0.0.1, here 10.9.0.2>127.0.0.1:80",
        "10.9.0.2, 10.8.1.254, here 10.9.0.2>10.8.1.254:80",
        "10.9.0.2, 10.8.1.1, pod0 10.9.0.2>10.8.1.1:80",
    })
    void without_rules_routing_decides(String from, String to, String end) {
        Paths paths = follow("", udp(from, to, 80));
        assertThat(ends(paths)).isEqualTo(end);
        assertThat(paths.paths().getFirst().isUntouched()).isEqualTo(!end.startsWith("dropped"));
    }

    @Test
    void an_address_of_the_node_from_outside_is_a_martian() {
        assertThat(
                        ends(
                                new PacketPath(Town.NODE, NftReader.read(""))
                                        .follow(
                                                udp(HOST, "10.8.0.1", 80),
                                                Entry.Arriving.by("eth0"),
                                                Memory.blank())))
                .isEqualTo("dropped MARTIAN");
    }

    @ParameterizedTest
    @CsvSource({"-300", "-150", "0"})
    void a_first_packet_is_a_syn_before_conntrack_as_after_it(int priority) {
        String rules =
                """
                table ip t {
                    chain pre {
                        type filter hook prerouting priority %d;
                        tcp flags & (fin | syn | rst | ack) == syn drop
                    }
                }
                """
                        .formatted(priority);
        Packet first =
                new Packet(
                        IpAddress.parse(CLIENT),
                        IpAddress.parse("10.8.0.1"),
                        new Transport.Ported(Transport.TCP, 40000, 80));
        Memory answered =
                Memory.blank()
                        .with(
                                Connection.listed(
                                        first,
                                        first.answer(),
                                        Connection.SEEN_REPLY,
                                        0,
                                        Element.FOREVER));
        assertThat(ends(follow(rules, first))).startsWith("dropped");
        assertThat(ends(follow(rules, first, answered))).startsWith("ends");
    }

    @Test
    void an_interface_that_is_not_there_is_a_mistake() {
        assertThatThrownBy(
                        () ->
                                new PacketPath(Town.NODE, NftReader.read(""))
                                        .follow(
                                                udp(CLIENT, HOST, 80),
                                                Entry.Arriving.by("eth9"),
                                                Memory.blank()))
                .hasMessage("the node has no interface eth9");
    }

    /// Found by IptablesAgreementTest: what the node sends to itself keeps its address, and is
    /// translated all the same when its port is drawn (nf_nat_setup_info).
    @ParameterizedTest
    @CsvSource({"masquerade, true", "masquerade random, false", "masquerade fully-random, false"})
    void a_port_that_is_drawn_makes_a_translation(String statement, boolean received) {
        Path path =
                only(
                        follow(
                                """
                                table ip t {
                                  chain post { type nat hook postrouting priority 100; %s; }
                                  chain in { type filter hook input priority 0; ct status snat drop; }
                                }
                                """
                                        .formatted(statement),
                                udp(HOST, HOST, 80)));
        assertThat(path.fate() instanceof Fate.Received).isEqualTo(received);
    }

    @Test
    void a_first_packet_is_translated_and_its_answer_back() {
        Path path = only(follow(NAT, udp(CLIENT, SERVICE, 80)));
        assertThat(path.fate()).isEqualTo(new Fate.Left("ends", udp(CLIENT, "10.8.0.1", 8080)));
        assertThat(path.reply()).isEqualTo(Path.Reply.FINDS_BACK);
        Paths answer =
                new PacketPath(Town.NODE, NftReader.read(NAT))
                        .follow(
                                udp("10.8.0.1", 8080, CLIENT, 40000),
                                Entry.Arriving.by("ends"),
                                path.memory());
        assertThat(only(answer).fate())
                .isEqualTo(new Fate.Left("eth0", udp(SERVICE, 80, CLIENT, 40000)));
        assertThat(only(answer).connection().state()).isEqualTo(Tracking.ESTABLISHED_BIT);
    }

    @Test
    void later_packets_follow_the_binding_until_it_times_out() {
        Path first = only(follow(NAT, udp(CLIENT, SERVICE, 80)));
        Memory later = first.memory().later(29_999);
        assertThat(ends(follow("", udp(CLIENT, SERVICE, 80), later)))
                .isEqualTo("ends 10.9.0.100>10.8.0.1:8080");
        assertThat(ends(follow("", udp(CLIENT, SERVICE, 80), first.memory().later(30_000))))
                .isEqualTo("eth1 10.9.0.100>172.30.0.1:80");
    }

    @Test
    void a_process_of_the_node_is_routed_again_after_translation() {
        assertThat(ends(follow(NAT, udp(HOST, SERVICE, 80))))
                .isEqualTo("ends 10.9.0.2>10.8.0.1:8080");
    }

    @Test
    void masquerading_takes_an_address_of_the_interface_it_leaves_by() {
        String marking =
                NAT
                        + "table ip m { chain f { type filter hook forward priority 0; mark set 0x4000; } }";
        Path path = only(follow(marking, udp(CLIENT, SERVICE, 80)));
        assertThat(path.fate())
                .isEqualTo(new Fate.Left("ends", udp("10.8.0.254", 40000, "10.8.0.1", 8080)));
    }

    @Test
    void loopback_has_no_global_address_and_borrows_one() {
        String rules =
                """
                table ip t {
                    chain out { type nat hook output priority -100; ip daddr 172.30.0.1 dnat to 10.9.0.2; }
                    chain post { type nat hook postrouting priority 100; masquerade; }
                }
                """;
        assertThat(ends(follow(rules, udp(HOST, SERVICE, 80))))
                .isEqualTo("here 10.9.0.2>10.9.0.2:80");
    }

    @Test
    void an_answer_that_goes_past_the_node_is_lost() {
        String rules =
                """
                table ip t {
                    chain pre { type nat hook prerouting priority -100; ip daddr 172.30.0.1 dnat to 10.7.0.9; }
                }
                """;
        assertThat(only(follow(rules, udp(CLIENT, SERVICE, 80))).reply())
                .isEqualTo(Path.Reply.LOST);
        assertThat(only(follow(rules, udp(POD, SERVICE, 80))).reply())
                .isEqualTo(Path.Reply.FINDS_BACK);
    }

    @Test
    void a_pod_does_not_answer_itself() {
        String rules = NAT.replace("10.8.0.1", POD);
        assertThat(only(follow(rules, udp(POD, SERVICE, 80))).reply()).isEqualTo(Path.Reply.LOST);
    }

    @ParameterizedTest
    @CsvSource({
        // The verdict of one base chain is final for that chain only, unless it drops.
        "accept, drop, dropped RULE",
        "drop, accept, dropped RULE",
        "reject, accept, rejected PORT_UNREACHABLE",
        "return, accept, ends 10.9.0.100>10.8.0.1:80",
        "jump a, accept, ends 10.9.0.100>10.8.0.1:80",
        "jump a; drop, accept, dropped RULE",
        "goto a; drop, accept, ends 10.9.0.100>10.8.0.1:80",
        "jump b; drop, accept, dropped RULE",
        "continue; drop, accept, dropped RULE",
        "jump c; drop, accept, ends 10.9.0.100>10.8.0.1:80",
    })
    void verdicts(String first, String second, String end) {
        String rules =
                """
                table ip t {
                    chain a { return; drop; }
                    chain b { goto a; drop; }
                    chain c { accept; drop; }
                    chain one { type filter hook forward priority 0; FIRST; }
                    chain two { type filter hook forward priority 1; SECOND; }
                }
                """
                        .replace("FIRST", first)
                        .replace("SECOND", second);
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80)))).isEqualTo(end);
    }

    @Test
    void a_policy_judges_what_no_rule_does() {
        String rules =
                """
                table ip t { chain f { type filter hook forward priority 0; policy drop;
                    ip saddr 10.8.1.1 accept
                    ip saddr 10.9.0.0/24 return
                } }
                """;
        assertThat(ends(follow(rules, udp(POD, ENDPOINT_1, 80)))).startsWith("ends ");
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80)))).isEqualTo("dropped POLICY");
    }

    @Test
    void of_two_chains_with_one_priority_the_younger_is_first() {
        String rules =
                """
                table ip a { chain c { type filter hook forward priority 0; meta mark set 1; } }
                table ip b { chain c { type filter hook forward priority 0; meta mark 1 drop; } }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80)))).startsWith("ends ");
    }

    @Test
    void chains_of_type_nat_run_where_translation_is_hooked() {
        String rules =
                """
                table ip a {
                    chain early { type nat hook prerouting priority -190; dnat to 10.8.0.1; }
                    chain later { type filter hook prerouting priority -150; ip daddr 10.8.0.1 drop; }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80))))
                .isEqualTo("ends 10.9.0.100>10.8.0.1:80");
    }

    @Test
    void the_first_binding_wins_and_accept_ends_one_chain_only() {
        String rules =
                """
                table ip a {
                    chain one { type nat hook prerouting priority -100; accept; dnat to 10.8.0.1; }
                    chain two { type nat hook prerouting priority -90; dnat to 10.8.0.2; }
                    chain three { type nat hook prerouting priority -80; dnat to 10.8.0.3; }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80))))
                .isEqualTo("ends 10.9.0.100>10.8.0.2:80");
    }

    @Test
    void conntrack_sees_a_packet_at_minus_200() {
        String rules =
                """
                table ip t {
                    chain raw { type filter hook prerouting priority -300; ct state invalid meta mark set 1; ct direction original drop; }
                    chain mangle { type filter hook prerouting priority -150; meta mark 1 ct state new ct direction original reject; }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80))))
                .isEqualTo("rejected PORT_UNREACHABLE");
    }

    @Test
    void untracked_packets_are_not_translated() {
        String rules =
                NAT
                        + "table ip r { chain c { type filter hook prerouting priority -300; notrack; } }";
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80))))
                .isEqualTo("eth1 10.9.0.100>172.30.0.1:80");
    }

    @Test
    void what_conntrack_knows_of_a_translated_connection() {
        String rules =
                NAT
                        + """
                        table ip f { chain f { type filter hook forward priority 0; policy drop;
                            ct state new ct status dnat ct original ip daddr 172.30.0.1 meta l4proto udp ct original proto-dst 80 ip daddr 10.8.0.1 th dport 8080 accept
                        } }
                        """;
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80)))).startsWith("ends ");
        assertThat(ends(follow(rules, udp(CLIENT, "10.8.0.1", 8080)))).isEqualTo("dropped POLICY");
    }

    @Test
    void translation_to_the_same_address_is_none() {
        String rules =
                """
                table ip t {
                    chain pre { type nat hook prerouting priority -100; dnat to 10.8.0.1; }
                    chain f { type filter hook forward priority 0; ct status dnat drop; }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80)))).startsWith("ends ");
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80)))).isEqualTo("dropped RULE");
    }

    @Test
    void kinds_of_address() {
        String rules =
                """
                table ip t { chain refuse { reject; }
                chain pre { type filter hook prerouting priority 0;
                    fib daddr type local ip daddr != 127.0.0.0/8 meta mark set 1
                    fib daddr . iif type local meta mark set mark or 2
                    fib daddr type broadcast meta mark set 4
                    fib daddr type unicast meta mark set 8
                    meta mark vmap { 1 : drop, 3 : goto refuse, 4 : accept, 8 : accept }
                } }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, HOST, 80)))).startsWith("rejected");
        assertThat(ends(follow(rules, udp(CLIENT, "10.8.0.254", 80)))).startsWith("dropped RULE");
        assertThat(ends(follow(rules, udp(CLIENT, "10.8.0.7", 80)))).startsWith("ends ");
    }

    @Test
    void no_interface_is_an_empty_name() {
        String rules =
                """
                table ip t { chain out { type filter hook output priority 0;
                    iifname "eth0" drop
                    iifname != "eth*" meta mark set 1
                    meta mark 1 oifname "ends" reject
                } }
                """;
        assertThat(ends(follow(rules, udp(HOST, ENDPOINT_1, 80)))).startsWith("rejected");
    }

    @Test
    void draws_are_followed_with_their_chances() {
        String rules =
                """
                table ip t {
                    chain a { dnat to 10.8.0.1; }
                    chain b { dnat to 10.8.0.2; }
                    chain pre { type nat hook prerouting priority -100;
                        numgen random mod 100 < 25 goto a
                        numgen random mod 3 vmap { 0 : goto a, 1 : goto b }
                        dnat to numgen random mod 2 map { 0 : 10.8.0.2, 1 : 10.8.0.3 }
                    }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80))))
                .isEqualTo(
                        "ends 10.9.0.100>10.8.0.1:80 1/2,"
                                + " ends 10.9.0.100>10.8.0.2:80 3/8,"
                                + " ends 10.9.0.100>10.8.0.3:80 1/8");
    }

    @Test
    void a_map_without_an_element_ends_the_rule() {
        String rules =
                """
                table ip t {
                    map m { type ipv4_addr : ipv4_addr . inet_service; elements = { 172.30.0.2 : 10.8.0.1 . 8080 }; }
                    chain pre { type nat hook prerouting priority -100;
                        dnat ip to ip daddr map @m
                        ip daddr 172.30.0.1 dnat to 10.8.0.2
                    }
                }
                """;
        assertThat(ends(follow(rules, udp(CLIENT, SERVICE, 80)))).contains("10.8.0.2:80");
        assertThat(ends(follow(rules, udp(CLIENT, "172.30.0.2", 80)))).contains("10.8.0.1:8080");
    }

    @Test
    void remembered_sources_expire() {
        String rules =
                """
                table ip t {
                    set seen { type ipv4_addr; flags dynamic,timeout; timeout 1m; }
                    chain pre { type filter hook prerouting priority 0;
                        ip saddr @seen drop
                        update @seen { ip saddr }
                    }
                }
                """;
        Path first = only(follow(rules, udp(CLIENT, ENDPOINT_1, 80)));
        assertThat(first.fate()).isInstanceOf(Fate.Left.class);
        Memory memory = first.memory().withoutConnections();
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80), memory.later(59_999))))
                .isEqualTo("dropped RULE");
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80), memory.later(60_000))))
                .startsWith("ends ");
        assertThat(ends(follow(rules, udp(POD, ENDPOINT_1, 80), memory))).startsWith("ends ");
    }

    @Test
    void the_lists_of_recent() {
        Step.Recent check = recent(Step.Recall.CHECK, 10, 2);
        Rule set = rule(1, recent(Step.Recall.SET, 0, 1));
        Rule drop = rule(2, check, new Step.Take(new Verdict.Drop()));
        Ruleset rules = forwarding(drop, set);
        Path first = only(forward(rules, Memory.blank()));
        Path second = only(forward(rules, first.memory().later(9_000)));
        assertThat(second.fate()).isInstanceOf(Fate.Left.class);
        assertThat(only(forward(rules, second.memory().later(1_000))).fate())
                .isEqualTo(new Fate.Dropped(Fate.Cause.RULE));
        assertThat(only(forward(rules, second.memory().later(1_001))).fate())
                .isInstanceOf(Fate.Left.class);
    }

    @Test
    void a_chance_forks_the_path() {
        Ruleset rules =
                forwarding(
                        rule(
                                1,
                                new Step.Chance(Fraction.of(1, 3)),
                                new Step.Take(new Verdict.Drop())));
        assertThat(ends(forward(rules, Memory.blank())))
                .isEqualTo("dropped RULE 1/3, ends 10.9.0.100>10.8.0.1:80 2/3");
    }

    @Test
    void what_was_not_understood_is_told_only_if_a_packet_gets_there() {
        String rules =
                """
                table ip t { chain f { type filter hook forward priority 0;
                    ip saddr 10.8.1.1 frobnicate with foo drop
                    ip saddr @missing drop
                } }
                """;
        Paths paths = follow(rules, udp(POD, ENDPOINT_1, 80));
        assertThat(paths.isTrustworthy()).isFalse();
        assertThat(paths.paths().getFirst().notes())
                .contains(new Path.Note(2, "not understood: frobnicate with foo drop"));
        assertThat(follow(rules, udp(CLIENT, ENDPOINT_1, 80)).isTrustworthy()).isFalse();
        String known = rules.replace("ip saddr @missing drop", "");
        assertThat(follow(known, udp(CLIENT, ENDPOINT_1, 80)).isTrustworthy()).isTrue();
    }

    @Test
    void a_circle_of_chains_is_no_endless_path() {
        String rules =
                """
                table ip t {
                    chain a { goto b; }
                    chain b { goto a; }
                    chain f { type filter hook forward priority 0; jump a; }
                }
                """;
        assertThat(follow(rules, udp(CLIENT, ENDPOINT_1, 80)).isTrustworthy()).isFalse();
    }

    @Test
    void hops_tell_what_was_found_and_done() {
        String rules =
                """
                table ip t {
                    map services { type ipv4_addr . inet_proto . inet_service : verdict;
                        elements = { 172.30.0.1 . udp . 80 : goto pick }; }
                    chain pick { meta mark set mark or 0x4000; dnat to 10.8.0.1:8080; }
                    chain pre { type nat hook prerouting priority -100;
                        ip daddr . meta l4proto . th dport vmap @services; }
                }
                """;
        List<Hop> hops = only(follow(rules, udp(CLIENT, SERVICE, 80))).hops();
        assertThat(hops).hasSize(4);
        assertThat(hops.getFirst())
                .isInstanceOfSatisfying(
                        Hop.ByRule.class,
                        hop -> {
                            assertThat(hop.chain()).isEqualTo("pre");
                            assertThat(hop.found())
                                    .extracting(Hop.Found::set)
                                    .containsExactly("services");
                            assertThat(hop.found().getFirst().element().line()).isEqualTo(3);
                            assertThat(hop.changes())
                                    .containsExactly(
                                            new Hop.Change.Judged(new Verdict.Goto("pick")));
                        });
        assertThat(hops.get(1))
                .isInstanceOfSatisfying(
                        Hop.ByRule.class,
                        hop ->
                                assertThat(hop.changes())
                                        .containsExactly(new Hop.Change.Marked(0, 0x4000)));
        assertThat(hops.get(2))
                .isInstanceOfSatisfying(
                        Hop.ByRule.class,
                        hop ->
                                assertThat(hop.changes())
                                        .containsExactly(
                                                new Hop.Change.Destination(
                                                        IpAddress.parse("10.8.0.1"), 8080)));
        assertThat(hops.getLast()).isInstanceOf(Hop.Routed.class);
    }

    @Test
    void ipv6_sees_its_own_tables_and_inet() {
        String rules =
                """
                table inet t { chain f { type filter hook forward priority 0;
                    ip saddr != 1.2.3.4 drop
                    ip6 daddr fd08::1 reject
                } }
                """;
        Packet packet =
                new Packet(
                        IpAddress.parse("fd09::100"),
                        IpAddress.parse("fd08::1"),
                        new Transport.Ported(Transport.TCP, 40000, 80));
        assertThat(ends(follow(rules, packet))).isEqualTo("rejected PORT_UNREACHABLE");
        assertThat(ends(follow(rules, udp(CLIENT, ENDPOINT_1, 80)))).isEqualTo("dropped RULE");
    }

    private static Path only(Paths paths) {
        assertThat(paths.paths()).hasSize(1);
        return paths.paths().getFirst();
    }

    private static Step.Recent recent(Step.Recall recall, int seconds, int hits) {
        return new Step.Recent(
                "list",
                new Operand.Address(Family.IPV4, Operand.End.SOURCE),
                recall,
                Step.Sense.IS,
                seconds,
                hits);
    }

    private static Rule rule(int line, Step... steps) {
        return new Rule(List.of(steps), line, "rule " + line);
    }

    private static Ruleset forwarding(Rule... rules) {
        Chain chain =
                new Chain(
                        "FORWARD",
                        new Chain.Attachment.Hooked(
                                Chain.Type.FILTER, Hook.FORWARD, 0, Chain.Policy.ACCEPT),
                        List.of(rules));
        var chains = new LinkedHashMap<String, Chain>();
        chains.put(chain.name(), chain);
        return new Ruleset(
                List.of(new Table(Table.Scope.IP, "filter", chains, new LinkedHashMap<>())),
                List.of());
    }

    private static Paths forward(Ruleset rules, Memory memory) {
        return new PacketPath(Town.NODE, rules)
                .follow(
                        udp(CLIENT, ENDPOINT_1, 80),
                        Entry.Arriving.by("eth0"),
                        memory.withoutConnections());
    }
}
