package dev.pointsman.packet.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Ruleset;
import java.io.StringReader;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// As many lines as iptables mode has for 20,000 Services of 10 endpoints, and 100,000 flows. The
/// times are printed, not asserted: they are the machine's.
final class LargeSaveTest {
    private static final int SERVICES = 20_000;
    private static final int ENDPOINTS = 10;
    private static final int FLOWS = 100_000;

    @Test
    void hundreds_of_thousands_of_rules_are_read() {
        String text = rules();
        long start = System.nanoTime();
        Ruleset ruleset = IptablesSaveReader.read(text, Family.IPV4);
        long read = System.nanoTime();
        assertThat(NftReaderTest.rules(ruleset)).hasSize(SERVICES * (2 + 3 * ENDPOINTS));
        System.out.printf(
                Locale.ROOT,
                "%d lines of iptables-save, %d MiB: read in %d ms%n",
                text.lines().count(),
                text.length() >> 20,
                (read - start) / 1_000_000);
    }

    private static String rules() {
        StringBuilder text = new StringBuilder("*nat\n:PREROUTING ACCEPT [0:0]\n");
        text.append(":KUBE-SERVICES - [0:0]\n:KUBE-MARK-MASQ - [0:0]\n");
        for (int service = 0; service < SERVICES; service++) {
            text.append(":KUBE-SVC-").append(service).append(" - [0:0]\n");
            for (int endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
                text.append(":KUBE-SEP-")
                        .append(service * ENDPOINTS + endpoint)
                        .append(" - [0:0]\n");
            }
        }
        for (int service = 0; service < SERVICES; service++) {
            String match =
                    " -d 172.30."
                            + service / 250
                            + "."
                            + (service % 250 + 1)
                            + "/32 -p tcp -m comment --comment \"ns/service-"
                            + service
                            + ":http cluster IP\" -m tcp --dport 80 -j ";
            String chain = "-A KUBE-SVC-" + service;
            text.append("-A KUBE-SERVICES").append(match).append("KUBE-SVC-").append(service);
            text.append('\n').append(chain).append(" ! -s 10.0.0.0/8").append(match);
            text.append("KUBE-MARK-MASQ\n");
            for (int endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
                endpoint(text, chain, service * ENDPOINTS + endpoint, ENDPOINTS - endpoint);
            }
        }
        return text.append("COMMIT\n").toString();
    }

    private static void endpoint(StringBuilder text, String chain, int number, int left) {
        String address = "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
        String remark = " -m comment --comment \"ns/service:http -> " + address + ":8080\"";
        text.append(chain).append(remark);
        if (left > 1) {
            text.append(" -m statistic --mode random --probability ")
                    .append(String.format(Locale.ROOT, "%.11f", 1.0 / left));
        }
        String own = "-A KUBE-SEP-" + number;
        text.append(" -j KUBE-SEP-").append(number).append('\n');
        text.append(own).append(" -s ").append(address).append("/32").append(remark);
        text.append(" -j KUBE-MARK-MASQ\n");
        text.append(own).append(" -p tcp").append(remark);
        text.append(" -m tcp -j DNAT --to-destination ").append(address).append(":8080\n");
    }

    @Test
    void flows_are_read_one_by_one() {
        StringBuilder text = new StringBuilder();
        for (int flow = 0; flow < FLOWS; flow++) {
            String client = "10." + (flow >> 16) + "." + (flow >> 8 & 255) + "." + (flow & 255);
            text.append("ipv4     2 tcp      6 86394 ESTABLISHED src=").append(client);
            text.append(" dst=172.30.0.1 sport=40000 dport=80 src=10.8.0.1 dst=").append(client);
            text.append(" sport=8080 dport=40000 [ASSURED] mark=0 zone=0 use=2\n");
        }
        AtomicInteger count = new AtomicInteger();
        long start = System.nanoTime();
        ConntrackReader.read(new StringReader(text.toString()), _ -> count.incrementAndGet());
        long read = System.nanoTime();
        assertThat(count).hasValue(FLOWS);
        System.out.printf(
                Locale.ROOT,
                "%d flows of conntrack -L: read in %d ms%n",
                FLOWS,
                (read - start) / 1_000_000);
    }
}
