package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Chain;
import dev.pointsman.packet.netfilter.Element;
import dev.pointsman.packet.netfilter.Hook;
import dev.pointsman.packet.netfilter.NamedSet;
import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Range;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import dev.pointsman.packet.netfilter.Table;
import dev.pointsman.packet.netfilter.Value;
import dev.pointsman.packet.netfilter.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NftReaderTest {

    static String resource(String name) throws IOException {
        try (InputStream in = NftReaderTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<Rule> rules(Ruleset ruleset) {
        return ruleset.tables().stream()
                .flatMap(table -> table.chains().values().stream())
                .flatMap(chain -> chain.rules().stream())
                .toList();
    }

    private static Rule rule(String text) {
        Ruleset ruleset = NftReader.read("table ip t {\n\tchain c {\n\t\t" + text + "\n\t}\n}\n");
        assertThat(rules(ruleset)).hasSize(1);
        return rules(ruleset).getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"every-expression.nft", "kube-proxy.nft", "listing.nft"})
    void everything_in_these_listings_is_understood(String name) throws IOException {
        String path = name.startsWith("every") ? "/dev/pointsman/netlink/" + name : name;
        Ruleset ruleset = NftReader.read(resource(path));
        assertThat(ruleset.unread()).isEmpty();
        assertThat(rules(ruleset))
                .isNotEmpty()
                .allSatisfy(
                        rule ->
                                assertThat(rule.steps())
                                        .noneMatch(step -> step instanceof Step.Unknown));
    }

    @Test
    void a_firewall_of_others_is_read_with_gaps_that_are_told() throws IOException {
        Ruleset ruleset = NftReader.read(resource("foreign.nft"));
        assertThat(
                        rules(ruleset).stream()
                                .flatMap(rule -> rule.steps().stream())
                                .filter(step -> step instanceof Step.Unknown))
                .containsExactly(
                        new Step.Unknown("fib saddr . mark . iif oif missing drop"),
                        new Step.Unknown("ct helper set \"helper-ftp-tcp\""),
                        new Step.Unknown("xt match recent"),
                        new Step.Unknown("xt target MASQUERADE"),
                        new Step.Unknown("# xt_recent"),
                        new Step.Unknown("limit rate 5/minute burst 5 packets"),
                        new Step.Unknown("queue num 0"),
                        new Step.Unknown("flow add @ft"));
        assertThat(ruleset.unread())
                .containsExactly(
                        new Ruleset.Unread(1, "table bridge filter is not modelled"),
                        new Ruleset.Unread(
                                11,
                                "filter hook ingress device \"eth0\" priority filter is not"
                                        + " modelled"));
    }

    /// As nft prints `meta mark & 0x80000000 != 0`.
    @Test
    void bits_that_are_a_prefix_are_a_range() {
        assertThat(rule("meta mark != 0x00000000/1 return").steps().getFirst())
                .isEqualTo(
                        Step.In.of(
                                Operand.Field.MARK,
                                Sense.IS_NOT,
                                new Range(Value.of(0), Value.of(0x7fff_ffffL))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ip saddr 10.0.0.0/8 accept",
                "ip saddr != { 10.0.0.1, 10.1.0.0/16, 10.2.0.1-10.2.0.9 } drop",
                "tcp dport 80-90 counter packets 1 bytes 2 accept",
                "tcp dport { 22, 80-90 } accept comment \"a # b\"",
                "tcp flags syn / syn,ack accept",
                "tcp flags & (fin | syn | rst | ack) == syn accept",
                "tcp flags != syn,ack drop",
                "ct state established,related accept",
                "ct state { new, untracked } drop",
                "ct state vmap { invalid : drop, established : accept, related : accept }",
                "ct state ! new accept",
                "ct status snat,dnat accept",
                "meta mark & 0x00000003 != 0x00000000 return",
                "meta mark and 0x3 == 0x3 return",
                "meta mark set meta mark & 0xffffbfff",
                "meta mark set mark and 0xff or 0x10",
                "meta mark set mark xor 0x4000",
                "ct mark set meta mark & 0x000000ff",
                "meta mark set ip saddr map { 10.0.0.1 : 0x1, 10.0.0.2 : 0x2 }",
                "meta mark set numgen random mod 2",
                "iifname \"veth*\" oifname != \"eth0\" jump x",
                "iif lo accept",
                "iifname { \"a\", \"b*\" } accept",
                "meta l4proto { tcp, udp } th dport 53 accept",
                "ip protocol icmp icmp type echo-request accept",
                "icmp type { echo-reply, 13 } accept",
                "fib daddr . iif type != { local, broadcast } drop",
                "fib saddr type local return",
                "log prefix \"x: \" level warn flags tcp sequence,options",
                "reject with icmp type host-unreachable",
                "reject with icmpx admin-prohibited",
                "reject with tcp reset",
                "add @s { ip saddr }",
                "update @s { ip saddr . th dport timeout 10s }",
                "update @s { ip saddr : ip daddr . th dport }",
                "delete @s { ip saddr }",
                "dnat to 10.0.0.1",
                "dnat to 10.0.0.1:80",
                "meta l4proto tcp dnat to :8080",
                "tcp dport 1-1024 redirect to :8080",
                "redirect",
                "dnat to numgen random mod 2 map { 0 : 1.2.3.4, 1 : 1.2.3.5 }",
                "dnat ip to numgen random mod 2 map { 0 : 1.2.3.4 . 80, 1 : 1.2.3.4 . 81 }",
                "meta l4proto tcp dnat ip addr . port to numgen random mod 2 map { 0 : 1.2.3.4 . 80 }",
                "tcp dport 90 dnat to ip saddr map { 1.2.3.4 : 1.2.3.4 }:90",
                "masquerade fully-random,persistent",
                "masquerade to :1024-65535 random",
                "snat to 10.0.0.1 fully-random",
                "ip saddr . tcp dport vmap { 1.2.3.4 . 80 : accept, 1.2.3.5 . 1-9 : drop }",
                "numgen inc mod 3 vmap { 0 : accept, 1-2 : drop }",
                "notrack",
                "tcp dport 22 goto a-chain/with.dots_and-dashes",
                "xt match comment counter packets 0 bytes 0 accept",
            })
    void these_rules_are_understood(String text) {
        Rule rule = rule(text);
        assertThat(rule.text()).isEqualTo(text);
        assertThat(rule.line()).isEqualTo(3);
        assertThat(rule.steps()).noneMatch(step -> step instanceof Step.Unknown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "dnat to jhash-free ~ dnat to jhash-free",
                "snat to 10.0.0.1-10.0.0.9 ~ snat to 10.0.0.1-10.0.0.9",
                "ip dscp 3 accept ~ ip dscp 3 accept",
                "tcp dport 80808 accept ~ tcp dport 80808 accept",
                "dnat to 10.0.0.1:80808 ~ dnat to 10.0.0.1:80808",
                "ip saddr 10.0.0.1 meta skuid 0 drop ~ meta skuid 0 drop",
                "iifname { \"\"-\"\" } drop ~ iifname { \"\"-\"\" } drop",
                "iif 2 drop ~ iif 2 drop",
                "meta mark set iifname ~ meta mark set iifname",
                "ct mark set ip saddr . iifname ~ ct mark set ip saddr . iifname",
                "iifname < \"lo\" drop ~ iifname < \"lo\" drop",
                "iifname > \"lo\" drop ~ iifname > \"lo\" drop",
                "numgen random mod 100000 < 5 drop ~ numgen random mod 100000 < 5 drop",
                "ip daddr 10.0.0.1 dnat to 10.0.0.1:80-90 ~ dnat to 10.0.0.1:80-90",
            })
    void from_what_is_not_understood_on_a_rule_is_unknown(String text, String unknown) {
        assertThat(rule(text).steps().getLast()).isEqualTo(new Step.Unknown(unknown));
    }

    @Test
    void a_port_implies_its_protocol() {
        assertThat(rule("tcp dport 80 accept").steps())
                .containsExactly(
                        Step.In.of(Operand.Field.PROTOCOL, Value.of(6)),
                        Step.In.of(
                                Operand.Field.DESTINATION_PORT, Sense.IS, Range.of(Value.of(80))),
                        new Step.Take(new Verdict.Accept()));
    }

    @Test
    void bits_without_an_operator_ask_for_any_of_them() {
        assertThat(rule("ct state established,related accept").steps().getFirst())
                .isEqualTo(new Step.AnyBit(Operand.Field.STATE, Sense.IS, 6));
        assertThat(rule("ct state != established,related accept").steps().getFirst())
                .isEqualTo(Step.In.of(Operand.Field.STATE, Sense.IS_NOT, Range.of(Value.of(6))));
    }

    @Test
    void commands_build_the_same_as_blocks() {
        String block =
                """
                table ip6 t {
                    set s { type ipv6_addr . inet_service; flags interval; elements = { fd00::/64 . 80 comment "x" }; }
                    map m { type mark : verdict; elements = { 1 : drop, 2 : jump c }; }
                    chain c { drop; }
                    chain f {
                        type filter hook forward priority dstnat - 10; policy drop;
                        ip6 saddr . tcp dport @s accept
                        meta mark vmap @m
                    }
                }
                """;
        String commands =
                """
                add table ip6 t
                add set ip6 t s { type ipv6_addr . inet_service; flags interval; }
                add map ip6 t m { type mark : verdict; }
                add chain ip6 t c
                add chain ip6 t f { type filter hook forward priority -110; policy drop; }
                add rule ip6 t f meta mark vmap @m
                insert rule ip6 t f ip6 saddr . tcp dport @s accept
                add rule ip6 t c accept
                flush chain ip6 t c; add rule ip6 t c drop
                add element ip6 t s { fd00::/64 . 80 }
                add element ip6 t m { 1 : drop, 2 : jump c, 3 : accept }
                delete element ip6 t m { 3 }
                add table ip gone
                delete table ip gone
                """;
        assertThat(shape(NftReader.read(commands))).isEqualTo(shape(NftReader.read(block)));
    }

    /// Everything but where it stood.
    private static String shape(Ruleset ruleset) {
        StringBuilder shape = new StringBuilder();
        for (Table table : ruleset.tables()) {
            shape.append(table.title()).append('\n');
            table.sets()
                    .forEach(
                            (name, set) -> {
                                shape.append(name);
                                for (Element element : set.elements().all()) {
                                    shape.append(element.key()).append(element.data());
                                }
                            });
            for (Chain chain : table.chains().values()) {
                shape.append(chain.name()).append(chain.attachment());
                chain.rules().forEach(rule -> shape.append(rule.steps()));
            }
        }
        return shape.toString();
    }

    @Test
    void elements_live_as_long_as_they_still_have() {
        NamedSet set =
                NftReader.read(
                                """
                                table ip t { set s { type ipv4_addr; flags dynamic,timeout; timeout 3h;
                                    elements = { 10.0.0.1 timeout 1h30m expires 59m1s500ms, 10.0.0.2 expires 4s } } }
                                """)
                        .tables()
                        .getFirst()
                        .sets()
                        .sequencedValues()
                        .getFirst();
        assertThat(set.timeout()).isEqualTo(10_800_000);
        assertThat(set.elements().all())
                .extracting(Element::until)
                .containsExactly(3_541_500L, 4_000L);
    }

    @Test
    void a_set_that_is_not_understood_is_not_there() {
        Ruleset ruleset =
                NftReader.read(
                        """
                        table ip t {
                            set a { type ether_addr; elements = { aa:bb:cc:dd:ee:ff }; }
                            set b { type ipv4_addr; elements = { some.host.name }; }
                            set c { type ipv4_addr; elements = { 10.0.0.1 }; }
                        }
                        """);
        assertThat(ruleset.tables().getFirst().sets()).containsOnlyKeys("c");
    }

    @Test
    void base_chains_of_a_dormant_table_sleep() {
        Chain chain =
                NftReader.read(
                                "table ip t { flags dormant; chain c { type filter hook input"
                                        + " priority 0; drop; } }")
                        .tables()
                        .getFirst()
                        .chains()
                        .sequencedValues()
                        .getFirst();
        assertThat(chain.attachment()).isEqualTo(new Chain.Attachment.Called());
    }

    @ParameterizedTest
    @CsvSource({
        "priority filter, 0",
        "priority dstnat - 10, -110",
        "priority filter + 10, 10",
        "priority -175, -175",
        "priority srcnat, 100",
    })
    void priorities_have_names(String text, int priority) {
        Ruleset ruleset =
                NftReader.read(
                        "table inet t { chain c { type filter hook prerouting " + text + "; } }");
        Chain chain = ruleset.tables().getFirst().chains().sequencedValues().getFirst();
        assertThat(chain.attachment())
                .isEqualTo(
                        new Chain.Attachment.Hooked(
                                Chain.Type.FILTER, Hook.PREROUTING, priority, Chain.Policy.ACCEPT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "table ip t { ~ 1:13: expected a chain, set, map or other part of a table, found"
                        + " the end of the text",
                "table ip t { chain c { drop ~ 1:28: expected a rule, found the end of the text",
                "tabel ip t ~ 1:1: expected a command that builds rules, found tabel",
                "add rule ip t c drop ~ 1:13: expected a table that was added before, found t",
                "table ip t { chain c { type filter hook up priority 0; } } ~ 1:41: expected a"
                        + " hook, found up",
                "table ip t { chain c { log prefix \"x } } ~ 1:35: this string is never closed",
                "table ip t { } } ~ 1:16: expected the end of the command, found }",
                "include \"/etc/nftables.d\" ~ 1:1: expected a command that builds rules, found"
                        + " include",
            })
    void mistakes_are_named_with_line_and_column(String text, String message) {
        assertThatThrownBy(() -> NftReader.read(text))
                .isInstanceOf(SyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void nesting_is_no_way_to_break_the_reader() {
        Rule rule = rule("(".repeat(100_000) + "mark" + ")".repeat(100_000) + " 1 drop");
        assertThat(rule.steps()).hasOnlyElementsOfType(Step.Unknown.class);
    }

    @Test
    void families_of_both_are_told_apart_in_inet() {
        Ruleset ruleset =
                NftReader.read(
                        "table inet t { chain c { type nat hook prerouting priority 0; dnat ip6 to"
                                + " fd00::1; dnat ip to 10.0.0.1; } }");
        assertThat(rules(ruleset).getFirst().steps().getFirst())
                .isEqualTo(Step.In.of(Operand.Field.FAMILY, Value.of(10)));
        assertThat(rules(ruleset).getFirst().steps().getLast())
                .isEqualTo(
                        new Step.Translate(
                                Step.Kind.DNAT,
                                new Operand.Concatenation(
                                        List.of(
                                                Operand.Constant.of(
                                                        NftType.address(Family.IPV6)
                                                                .value(
                                                                        new Token(
                                                                                Token.Kind.WORD,
                                                                                "fd00::1",
                                                                                1,
                                                                                1,
                                                                                0,
                                                                                0))))),
                                List.of(Step.Part.ADDRESS),
                                Step.Ports.KEPT));
    }
}
