package dev.pointsman.iptables;

import dev.pointsman.packet.verify.Histories;

final class HistoryTest extends Histories {
    HistoryTest() {
        super(Rendered::rules);
    }
}
