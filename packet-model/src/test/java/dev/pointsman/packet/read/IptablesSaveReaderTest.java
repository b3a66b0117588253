package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.Entry;
import dev.pointsman.packet.netfilter.Memory;
import dev.pointsman.packet.netfilter.Packet;
import dev.pointsman.packet.netfilter.PacketPath;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.Ruleset;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Transport;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IptablesSaveReaderTest {
    private static final String SOURCE = "198.51.100.7";
    private static final String DESTINATION = "10.8.0.1";

    private static final String SETS =
            """
            create pairs hash:ip,port family inet hashsize 1024 maxelem 65536
            add pairs 10.8.0.1,tcp:80
            create nets hash:net family inet hashsize 1024 maxelem 65536
            add nets 198.51.100.0/24
            create six hash:ip family inet6 hashsize 1024 maxelem 65536
            create ports bitmap:port range 0-65535
            add ports 80
            create macs hash:mac hashsize 1024 maxelem 65536
            create devices hash:net,iface family inet hashsize 1024 maxelem 65536
            add devices 198.51.100.0/24,eth0
            """;

    private static Ruleset forward(String... rules) {
        String text =
                "*filter\n:FORWARD ACCEPT [0:0]\n:CALLED - [0:0]\n-A "
                        + String.join("\n-A ", rules)
                        + "\nCOMMIT\n";
        return IptablesSaveReader.read(
                new StringReader(text), Family.IPV4, IpsetSaveReader.read(SETS));
    }

    /// What becomes of a first TCP packet from outside to port 80 of a pod.
    private static String end(Ruleset rules) {
        return Shop.ends(
                Shop.follow(rules, Shop.packet("tcp", SOURCE, DESTINATION, 80), Memory.blank()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-s 198.51.100.0/24 | yes",
                "-s 198.51.100.7 | yes",
                "! -s 198.51.100.7/32 | no",
                "-s ! 198.51.100.7/32 | no",
                "-s 0.0.0.7/0.0.0.255 | yes",
                "! -s 0.0.0.8/0.0.0.255 | yes",
                "-d 10.8.0.1/255.255.255.255 | yes",
                "-d 0.0.0.0/0 | yes",
                "-i eth0 | yes",
                "-i eth+ | yes",
                "! -i cni0 | yes",
                "-o cni0 | yes",
                "! -o cni+ | no",
                "-i + | yes",
                "-p tcp | yes",
                "-p 6 | yes",
                "-p all | yes",
                "! -p udp | yes",
                "-p udp | no",
                "! -f | yes",
                "-f | no",
                "-p tcp -m tcp --dport 80 | yes",
                "-p tcp -m tcp ! --dport 80 | no",
                "-p tcp --dport 80 | yes",
                "-m tcp -p tcp -d 10.8.0.1 --dport 80 | yes",
                "-p tcp -m tcp --dport 70:90 | yes",
                "-p tcp -m tcp --dport :79 | no",
                "-p tcp -m tcp --sport 30000: --dport 80 | yes",
                "-p udp -m udp --dport 80 | no",
                "-p udp -m udp ! --dport 81 | no",
                "-p tcp -m tcp --syn | yes",
                "-p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN | yes",
                "-p tcp -m tcp ! --tcp-flags FIN,SYN,RST,ACK SYN | no",
                "-p tcp -m tcp --tcp-flags ALL NONE | no",
                "-p tcp -m multiport --dports 22,80 | yes",
                "-p tcp -m multiport ! --dports 22,70:90 | no",
                "-p tcp -m multiport --ports 40000 | yes",
                "-p tcp -m multiport --ports 80 | yes",
                "-p tcp -m multiport ! --ports 53,80 | no",
                "-p tcp -m multiport ! --ports 53,81 | yes",
                "-m conntrack --ctstate NEW | yes",
                "-m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT | yes",
                "-m conntrack --ctstate DNAT | no",
                "-m conntrack ! --ctstate INVALID,NEW | no",
                "-m state --state NEW,RELATED | yes",
                "-m conntrack --ctstatus NONE | no",
                "-m conntrack ! --ctstatus ASSURED | yes",
                "-m conntrack --ctstate NEW --ctdir ORIGINAL | yes",
                "-m conntrack --ctdir REPLY | no",
                "-m conntrack --ctproto 6 --ctorigsrc 198.51.100.0/24 --ctorigdst 10.8.0.1 | yes",
                "-m conntrack --ctorigdstport 80 --ctreplsrc 10.8.0.1 --ctrepldstport 40000 | yes",
                "-m conntrack ! --ctorigdst 10.8.0.1 | no",
                "-m mark --mark 0x0 | yes",
                "-m mark ! --mark 0x4000/0x4000 | yes",
                "-m mark --mark 0x4000/0x4000 | no",
                "-m connmark --mark 0/0xff | yes",
                "-m addrtype --dst-type UNICAST | yes",
                "-m addrtype ! --src-type LOCAL --dst-type UNICAST,LOCAL | yes",
                "-m addrtype --dst-type LOCAL --limit-iface-in | no",
                "-m iprange --src-range 198.51.100.1-198.51.100.9 | yes",
                "-m iprange ! --dst-range 10.8.0.0-10.8.0.1 | no",
                "-m physdev --physdev-is-in | no",
                "-m physdev ! --physdev-is-in ! --physdev-in veth+ | yes",
                "-m physdev --physdev-is-bridged | no",
                "-m statistic --mode random --probability 1 | yes",
                "-m statistic --mode random --probability 0 | no",
                "-m statistic --mode nth --every 1 --packet 0 | yes",
                "-m recent --rcheck --name X --mask 255.255.255.255 --rsource | no",
                "-m recent ! --rcheck --seconds 9 --reap --name X --rdest | yes",
                "-m recent --set --name X --rsource | yes",
                "-m comment --comment \"a -j b ! \\\" \\\\ ' #\" | yes",
                "-m comment --comment bare | yes",
                "-m nfacct --nfacct-name  counted | yes",
                "-m set --match-set pairs dst,dst | yes",
                "-m set ! --match-set pairs dst,dst | no",
                "-m set --match-set pairs src,dst | no",
                "-m set --match-set pairs dst | no",
                "-m set ! --match-set pairs dst | yes",
                "-m set --match-set nets src -m set --match-set ports dst | yes",
                "-m set --match-set nets dst | no",
                "-m set --match-set six src | no",
                "-m set ! --match-set six src | yes",
                "-m set --match-set devices src,src | yes",
                "-m set --match-set devices src,dst | no",
            })
    void a_match_holds_or_not(String match, String holds) {
        assertThat(end(forward("FORWARD " + match + " -j DROP")))
                .isEqualTo(holds.equals("yes") ? "dropped RULE" : "cni0 198.51.100.7>10.8.0.1:80");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-m limit --limit 5/min -j DROP | -m limit --limit 5/min",
                "-p tcp -m hashlimit --hashlimit-upto 5/sec --hashlimit-name x -m tcp --dport 80 -j DROP | -m hashlimit --hashlimit-upto 5/sec --hashlimit-name x",
                "-m owner ! --uid-owner 0 -j DROP | -m owner ! --uid-owner 0",
                "-m socket --transparent -j DROP | -m socket --transparent",
                "-m ipvs --vaddr 10.0.0.1 --vdir ORIGINAL --vport 80 -j DROP | -m ipvs --vaddr 10.0.0.1 --vdir ORIGINAL --vport 80",
                "-m conntrack --ctexpire 10 -j DROP | -m conntrack --ctexpire 10",
                "-m conntrack --ctstate INVALID --ctdir REPLY -j DROP | -m conntrack --ctstate INVALID --ctdir REPLY",
                "-m recent --rcheck --rttl --name X -j DROP | -m recent --rcheck --rttl --name X",
                "-m set --match-set none src -j DROP | -m set --match-set none src",
                "-m set --match-set macs src -j DROP | -m set --match-set macs src",
                "-p tcp -m tcp --tcp-option 5 -j DROP | -m tcp --tcp-option 5",
                "-p skip -j DROP | -p skip",
                "-s 10.0.0.1,10.0.0.2 -j DROP | -s 10.0.0.1,10.0.0.2",
                "-j NFQUEUE --queue-num 1 | -j NFQUEUE --queue-num 1",
                "-j ELSEWHERE | -j ELSEWHERE",
                "-g ELSEWHERE | -g ELSEWHERE",
                "-p tcp -j TPROXY --on-port 1 --tproxy-mark 0x1/0x1 | -j TPROXY --on-port 1 --tproxy-mark 0x1/0x1",
                "-j DNAT --to-destination 10.0.0.1-10.0.0.9 | -j DNAT --to-destination 10.0.0.1-10.0.0.9",
                "-j DROP --fast | -j DROP --fast",
                "-j CT --zone 5 | -j CT --zone 5",
            })
    void what_is_not_understood_is_told_and_never_passed_in_silence(String rule, String unknown) {
        Ruleset rules = forward("FORWARD " + rule);
        assertThat(NftReaderTest.rules(rules).getFirst().steps())
                .contains(new Step.Unknown(unknown));
        if (!rule.startsWith("-p skip") && !rule.startsWith("-s 10")) {
            assertThat(end(rules)).endsWith("?");
        }
    }

    @Test
    void what_does_nothing_need_not_be_understood() {
        assertThat(
                        end(
                                forward(
                                        "FORWARD -m limit --limit 3/min -j LOG --log-prefix \"a b\" --log-level 4",
                                        "FORWARD -m time --timestart 10:00",
                                        "FORWARD -p tcp -m tcpmss --mss 1400:1500 -j TCPMSS --clamp-mss-to-pmtu",
                                        "FORWARD -m comment --comment \"no target\"")))
                .isEqualTo("cni0 198.51.100.7>10.8.0.1:80");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "CALLED -j DROP; FORWARD -j CALLED => dropped RULE",
                "CALLED -j RETURN; FORWARD -j CALLED; FORWARD -j DROP => dropped RULE",
                "CALLED -j RETURN; FORWARD -g CALLED; FORWARD -j DROP => cni0 198.51.100.7>10.8.0.1:80",
                "FORWARD -j ACCEPT; FORWARD -j DROP => cni0 198.51.100.7>10.8.0.1:80",
                "FORWARD -j REJECT => rejected PORT_UNREACHABLE",
                "FORWARD -j REJECT --reject-with icmp-host-prohibited => rejected HOST_PROHIBITED",
                "FORWARD -p tcp -j REJECT --reject-with tcp-reset => rejected TCP_RESET",
                "FORWARD -j MARK --set-xmark 0x4000/0x4000; FORWARD -m mark --mark 0x4000 -j DROP => dropped RULE",
                "FORWARD -j MARK --set-mark 0xff; FORWARD -j MARK --set-mark 0x1/0xf0; FORWARD -m mark --mark 0xf -j DROP => dropped RULE",
                "FORWARD -j MARK --or-mark 0x6; FORWARD -j MARK --and-mark 0x3; FORWARD -j MARK --xor-mark 0x1; FORWARD -m mark --mark 0x3 -j DROP => dropped RULE",
                "FORWARD -j MARK --set-mark 0xab; FORWARD -j CONNMARK --save-mark --nfmask 0xff --ctmask 0xf; FORWARD -m connmark --mark 0xab -j DROP => dropped RULE",
                "FORWARD -j CONNMARK --set-mark 0xab; FORWARD -j CONNMARK --restore-mark --nfmask 0xf0 --ctmask 0xf0; FORWARD -m mark --mark 0xa0 -j DROP => dropped RULE",
                "FORWARD -j CONNMARK --set-mark 0xab; FORWARD -j CONNMARK --restore-mark; FORWARD -m mark --mark 0xab -j DROP => dropped RULE",
                "FORWARD -j CONNMARK --set-xmark 0x80/0x80; FORWARD -m connmark --mark 0x80/0x80 -j DROP => dropped RULE",
                "FORWARD -m recent --set --name X; FORWARD -m recent --rcheck --seconds 9 --hitcount 1 --name X -j DROP => dropped RULE",
                "FORWARD -m recent --set --name X --mask 255.255.255.0; FORWARD -m recent --update --hitcount 2 --name X -j DROP => cni0 198.51.100.7>10.8.0.1:80",
                "FORWARD -j SET --add-set pairs src,src --exist; FORWARD -m set --match-set pairs src,src -j DROP => dropped RULE",
                "FORWARD -j SET --del-set pairs dst,dst; FORWARD -m set --match-set pairs dst,dst -j DROP => cni0 198.51.100.7>10.8.0.1:80",
                "FORWARD -m statistic --mode random --probability 0.25 -j DROP => cni0 198.51.100.7>10.8.0.1:80 3/4 | dropped RULE 1/4",
                "FORWARD -m statistic --mode random ! --probability 0.33333333349 -j DROP => cni0 198.51.100.7>10.8.0.1:80 1/3 | dropped RULE 2/3",
                "FORWARD -m statistic --mode nth --every 3 --packet 0 -j DROP => cni0 198.51.100.7>10.8.0.1:80 2/3 | dropped RULE 1/3",
            })
    void rules_act(String rules, String end) {
        assertThat(end(forward(rules.split("; ", -1)))).isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource({
        "0.3333333333, 1/3",
        "0.33333333349, 1/3",
        "0.0010000000, 1/1000",
        "0.0000217391, 1/46000",
        "0.75, 3/4",
        "0.0000099999, 21475/2147483648",
    })
    void a_probability_means_what_its_writer_meant(String written, String share) {
        String rule = "FORWARD -m statistic --mode random --probability " + written + " -j DROP";
        Step first = NftReaderTest.rules(forward(rule)).getFirst().steps().getFirst();
        assertThat(first).isInstanceOf(Step.Chance.class);
        assertThat(((Step.Chance) first).share()).hasToString(share);
    }

    @Test
    void translation_needs_its_table_and_hook() {
        String text =
                """
                *nat
                :PREROUTING ACCEPT [0:0]
                :POSTROUTING ACCEPT [0:0]
                -A PREROUTING -d 10.8.0.1/32 -p tcp -m tcp --dport 80 -j DNAT --to-destination 10.8.1.9:8080
                -A POSTROUTING -p tcp -j SNAT --to-source 192.0.2.10:1024-2048 --random
                COMMIT
                """;
        assertThat(end(IptablesSaveReader.read(text, Family.IPV4)))
                .isEqualTo("eth0 192.0.2.10>10.8.1.9:8080");
    }

    @Test
    void a_script_adds_to_the_chains_that_every_table_has() {
        String script =
                """
                *filter
                -I FORWARD 1 -j LAST
                -I FORWARD 1 -j FIRST
                -I FORWARD 2 -j SECOND
                -I FORWARD -j BEFORE
                COMMIT
                """
                        .replace("*filter", "*filter\n:LAST -\n:FIRST -\n:SECOND -\n:BEFORE -");
        assertThat(
                        NftReaderTest.rules(IptablesSaveReader.read(script, Family.IPV4)).stream()
                                .map(rule -> rule.text().replaceAll(".* ", ""))
                                .toList())
                .containsExactly("BEFORE", "FIRST", "SECOND", "LAST");
    }

    @Test
    void icmp_types_are_read_by_number_and_name() {
        for (String type : List.of("8", "8/0", "echo-request", "any", "! 3/4")) {
            String match =
                    type.startsWith("!")
                            ? "! --icmp-type " + type.substring(2)
                            : "--icmp-type " + type;
            Packet ping =
                    new Packet(
                            IpAddress.parse(SOURCE),
                            IpAddress.parse(DESTINATION),
                            Transport.Icmp.echoRequest());
            assertThat(
                            Shop.ends(
                                    new PacketPath(
                                                    Shop.NODE,
                                                    forward(
                                                            "FORWARD -p icmp -m icmp "
                                                                    + match
                                                                    + " -j DROP"))
                                            .follow(
                                                    ping,
                                                    Entry.Arriving.by("eth0"),
                                                    Memory.blank())))
                    .as(type)
                    .isEqualTo("dropped RULE");
        }
    }

    @Test
    void untracked_packets_have_a_state_of_their_own() {
        String text =
                """
                *raw
                :PREROUTING ACCEPT [0:0]
                -A PREROUTING -d 10.8.0.1/32 -j CT --notrack
                COMMIT
                *filter
                :FORWARD DROP [0:0]
                -A FORWARD -m conntrack ! --ctstate NEW,INVALID,DNAT -m conntrack --ctstate UNTRACKED -j ACCEPT
                COMMIT
                """;
        assertThat(end(IptablesSaveReader.read(text, Family.IPV4)))
                .isEqualTo("cni0 198.51.100.7>10.8.0.1:80");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'*filter' | 2:1: expected COMMIT, found the end",
                "'*what' | 1:2: expected a table of iptables, found what",
                "'-A INPUT -j DROP' | 1:1: expected a table, found -A INPUT -j DROP",
                "'*filter\n:INPUT MAYBE' | 2:8: expected ACCEPT, DROP or -, found MAYBE",
                "'*filter\n:MINE DROP' | 2:7: expected - for the policy of MINE, found DROP",
                "'*nat\n:INPUT ACCEPT\n-A FORWARD -j DROP' | 3:4: expected a chain that was declared before, found FORWARD",
                "'*filter\n-A MINE -j DROP' | 2:4: expected a chain that was declared before, found MINE",
                "'*filter\n-I INPUT 2 -j DROP' | 2:10: expected a number up to 1, found 2",
                "'*filter\n-I INPUT 0 -j DROP' | 2:10: expected a place from 1, found 0",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -s 10.0.0.256 -j DROP' | 3:13: expected an address, found 10.0.0.256",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -s fd00::1 -j DROP' | 3:13: expected an address of IPv4, found fd00::1",
                "'*filter\n:INPUT ACCEPT\n[1:2] -A INPUT -p tcp -m tcp --dport http' | 3:38: expected a number, found http",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -p tcp -m tcp --dport' | 3:31: expected a port, found the end of the line",
                "'*filter\n:INPUT ACCEPT\n-A INPUT --dport 80' | 3:10: expected an option of iptables, found --dport",
                "'*filter\n:INPUT ACCEPT\n-A INPUT what' | 3:10: expected an option, found what",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -m comment --comment \"x' | 3:31: a quote does not end",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -j DROP -j DROP' | 3:21: expected only one target, found DROP",
                "'*filter\n:INPUT ACCEPT\n-A INPUT -m conntrack --ctstate OLD' | 3:33: expected states, found OLD",
            })
    void errors_say_where(String text, String message) {
        assertThatThrownBy(() -> IptablesSaveReader.read(text, Family.IPV4))
                .isInstanceOf(SyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void the_kernel_lists_foreign_rules_of_both_variants_alike() throws IOException {
        Ipsets ipsets = IpsetSaveReader.read(NftReaderTest.resource("ipset.save"));
        Ruleset nft = broad("broad.iptables-nft", ipsets);
        Ruleset legacy = broad("broad.iptables-legacy", ipsets);
        assertThat(unknown(nft))
                .containsExactlyInAnyOrder(
                        "-m hashlimit --hashlimit-above 10/sec --hashlimit-burst 5 --hashlimit-mode srcip --hashlimit-name ssh",
                        "-j DNAT --to-destination 172.17.0.2-172.17.0.9:5000-5009",
                        "-m socket --transparent",
                        "-j TPROXY --on-port 15001 --on-ip 0.0.0.0 --tproxy-mark 0x1/0x1",
                        "-m owner --uid-owner 1337",
                        "-j CT --helper ftp");
        assertThat(unknown(legacy)).containsExactlyInAnyOrderElementsOf(unknown(nft));
        assertThat(NftReaderTest.rules(legacy).stream().map(Rule::steps).toList())
                .containsExactlyInAnyOrderElementsOf(
                        NftReaderTest.rules(nft).stream().map(Rule::steps).toList());
    }

    private static Ruleset broad(String name, Ipsets ipsets) throws IOException {
        return IptablesSaveReader.read(
                new StringReader(NftReaderTest.resource(name)), Family.IPV4, ipsets);
    }

    private static List<String> unknown(Ruleset ruleset) {
        return NftReaderTest.rules(ruleset).stream()
                .flatMap(rule -> rule.steps().stream())
                .filter(step -> step instanceof Step.Unknown)
                .map(step -> ((Step.Unknown) step).text())
                .toList();
    }

    @Test
    void tables_that_iptables_cannot_show_are_told() {
        Ruleset ruleset =
                IptablesSaveReader.read(
                        "# Table `filter' is incompatible, use 'nft' tool.\n", Family.IPV4);
        assertThat(ruleset.unread()).hasSize(1);
    }
}
