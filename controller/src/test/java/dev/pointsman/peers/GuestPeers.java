package dev.pointsman.peers;

import java.nio.file.Files;

/// The API server of all tests in one guest: it takes minutes to start, and goes with the guest.
final class GuestPeers {
    static final Peers PEERS = start();

    private GuestPeers() {}

    private static Peers start() {
        try {
            Peers peers =
                    Peers.start(Files.createTempDirectory("peers"), Comparison.SERVICE_RANGES);
            Runtime.getRuntime().addShutdownHook(new Thread(peers::close));
            peers.feed().hideOwnService();
            return peers;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
