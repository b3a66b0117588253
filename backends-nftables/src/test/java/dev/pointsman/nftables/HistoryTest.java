package dev.pointsman.nftables;

import dev.pointsman.packet.read.NftReader;
import dev.pointsman.packet.verify.Histories;

final class HistoryTest extends Histories {
    HistoryTest() {
        super(graph -> NftReader.read(Renderer.load(graph).text()));
    }
}
