package dev.pointsman.iptables;

import dev.pointsman.packet.verify.Histories;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    private static final Histories HISTORIES = new Histories(Rendered::rules);

    @Test
    void udp_stays_with_its_endpoint() {
        HISTORIES.udpStaysWithItsEndpoint();
    }

    @Test
    void affinity_ends_with_time_or_endpoint() {
        HISTORIES.affinityEndsWithTimeOrEndpoint();
    }

    @Test
    void a_draining_pod_keeps_its_connections() {
        HISTORIES.aDrainingPodKeepsItsConnections();
    }

    @Test
    void a_hairpin_holds() {
        HISTORIES.aHairpinHolds();
    }
}
