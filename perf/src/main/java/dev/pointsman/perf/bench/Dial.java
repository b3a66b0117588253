package dev.pointsman.perf.bench;

import dev.pointsman.graph.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;

/// One new connection after the other, from the network namespace of the calling thread.
final class Dial {
    private static final int ADDRESS_BYTES = 4;

    private final InetSocketAddress to;
    private final Duration patience;

    /// @param patience before a connection counts as lost; the kernel sends a SYN again after 1 s
    Dial(IpAddress to, int port, Duration patience) {
        this.to = new InetSocketAddress(InetAddress.ofLiteral(to.toString()), port);
        this.patience = patience;
    }

    /// One connection.
    ///
    /// @param handshakeNanos until it stood
    record Reached(IpAddress endpoint, long handshakeNanos) {}

    /// Nothing when it is refused, or not answered in time.
    Optional<Reached> once() {
        try (Socket socket = new Socket()) {
            // Ends with a reset, which leaves nothing in TIME_WAIT on either side.
            socket.setSoLinger(true, 0);
            socket.setSoTimeout((int) patience.toMillis());
            long begun = System.nanoTime();
            socket.connect(to, (int) patience.toMillis());
            long handshake = System.nanoTime() - begun;
            byte[] address = socket.getInputStream().readAllBytes();
            return address.length == ADDRESS_BYTES
                    ? Optional.of(new Reached(IpAddress.of(address), handshake))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
