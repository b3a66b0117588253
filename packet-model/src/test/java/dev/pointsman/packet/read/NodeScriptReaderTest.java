package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.packet.netfilter.IpvsTable;
import dev.pointsman.packet.netfilter.IpvsTable.Switch;
import dev.pointsman.packet.netfilter.Rule;
import dev.pointsman.packet.netfilter.VirtualServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeScriptReaderTest {

    @Test
    void sections_of_one_tool_add_up() throws IOException {
        String text = NftReaderTest.resource("ipvs.sh");
        NodeScript script = NodeScriptReader.read(text, Family.IPV4);
        IpvsTable ipvs = script.ruleset().ipvs();
        assertThat(ipvs.switches()).containsExactly(Switch.CONNTRACK, Switch.EXPIRE_NODEST_CONN);
        assertThat(script.sysctls().value("net.ipv4.vs.conntrack")).hasValue("1");
        assertThat(script.addresses())
                .containsExactly(IpAddress.parse("10.96.0.10"), IpAddress.parse("fd00:10:96::a"));
        assertThat(ipvs.servers()).extracting(VirtualServer::line).containsExactly(24, 26, 28);
        assertThat(ipvs.servers().getFirst().servers())
                .extracting(VirtualServer.RealServer::weight)
                .containsExactly(2);
        assertThat(script.ruleset().tables())
                .extracting(table -> table.title() + " " + table.sets().keySet())
                .containsExactly("ip nat [KUBE-CLUSTER-IP, KUBE-LOOP-BACK]", "ip filter []");
        assertThat(script.ruleset().tables().getFirst().sets().values())
                .extracting(set -> set.elements().all().size())
                .containsExactly(2, 1);
        assertThat(NftReaderTest.rules(script.ruleset()))
                .extracting(Rule::line)
                .containsExactly(39, 40, 41, 37, 38, 73, 45);
        assertThat(NodeScriptReader.isScript(text)).isTrue();
    }

    @Test
    void rules_of_the_other_family_are_left_out() throws IOException {
        NodeScript script = NodeScriptReader.read(NftReaderTest.resource("ipvs.sh"), Family.IPV6);
        assertThat(script.ruleset().tables())
                .extracting(table -> table.title())
                .containsExactly("ip6 nat");
        assertThat(script.addresses()).hasSize(2);
    }

    @Test
    void a_script_may_do_nothing() {
        assertThat(NodeScriptReader.read("", Family.IPV4).ruleset().ipvs().servers()).isEmpty();
        assertThat(NodeScriptReader.isScript("")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"rm -rf /\" | 1:1: expected ipset, ip, ipvsadm, iptables-restore, ip6tables-restore or sysctl, found rm",
                "\"\\nipvsadm -R\" | 2:11: expected a here-document, found the end of the line",
                "\"ipvsadm -R <<EOF\" | 1:12: expected <<'EOF', found <<EOF",
                "\"ipvsadm -R <<'EOF' | tee\" | \"1:20: expected the end of the line, found |\"",
                "\"# x\\nipvsadm -R <<'EOF'\\n-A -t 10.0.0.1:80\" | 3:1: expected EOF, found the end",
                "\"# x\\nipvsadm -R <<'EOF'\\n-A -t 10.0.0.1:80 -q\\nEOF\" | 3:19: expected an option of a virtual server, found -q",
                "\"ipset restore <<'EOF'\\nEOF\" | 1:15: expected -exist, found <<'EOF'",
                "\"ipset restore -exist <<'EOF'\\nrename a b\\nEOF\" | 2:1: expected create, add, del, flush, swap or destroy, found rename",
                "\"ipset restore -exist <<'EOF'\\ncreate a hash:ip\\ncreate a hash:net,port\\nEOF\" | 3:10: expected the set that is there already, found hash:net,port",
                "\"iptables-restore <<'EOF'\\nEOF\" | 1:18: expected --noflush, found <<'EOF'",
                "\"iptables-restore --noflush <<'EOF'\\n*nat\\nEOF\" | 3:1: expected COMMIT, found the end",
                "\"ip -batch - <<'EOF'\\naddress add 10.96.0.1/32 dev eth0\\nEOF\" | 2:30: expected kube-ipvs0, found eth0",
                "\"ip -batch - <<'EOF'\\naddress add 10.96.0.1/24 dev kube-ipvs0\\nEOF\" | 2:13: expected an address with a prefix of 32, found 10.96.0.1/24",
                "\"ip -batch - <<'EOF'\\nroute add default via 10.0.0.1\\nEOF\" | 2:1: expected link or address, found route",
                "\"sysctl -w net.ipv4.ip_forward\" | 1:19: expected NAME = VALUE, found net.ipv4.ip_forward",
                "\"sysctl -p\" | 1:8: expected -w, found -p",
                "\"ipvsadm --set 1 2\" | 1:18: expected a number, found the end of the line",
            },
            quoteCharacter = '"')
    void mistakes_are_placed_in_the_script(String text, String message) {
        assertThatThrownBy(() -> NodeScriptReader.read(text.translateEscapes(), Family.IPV4))
                .isInstanceOf(SyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void a_bare_kube_proxy_dump_is_no_script() {
        assertThat(NodeScriptReader.isScript("-A -t 10.96.0.1:443 -s rr\n")).isFalse();
        assertThat(NodeScriptReader.isScript("*nat\nCOMMIT\n")).isFalse();
        assertThat(NodeScriptReader.isScript("# x\n\nip -batch - <<'EOF'\nEOF\n")).isTrue();
    }
}
