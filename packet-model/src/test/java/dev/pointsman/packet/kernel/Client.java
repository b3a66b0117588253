package dev.pointsman.packet.kernel;

import dev.pointsman.netlink.NetworkNamespace;
import dev.pointsman.packet.Flow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.ProtocolFamily;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// Everybody in a world who opens connections and sends datagrams.
final class Client {
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 60_000;

    private final AtomicInteger ports = new AtomicInteger(FIRST_PORT);

    /// What the sender of a flow notices.
    sealed interface Reaction {
        record Answered(Listeners.Answer answer) implements Reaction {}

        record Refused() implements Reaction {}

        record Silence() implements Reaction {}
    }

    /// A source port that no flow of this world had: one used again would meet the connection
    /// tracking entry of its predecessor.
    int freshPort() {
        int port = ports.getAndIncrement();
        if (port > LAST_PORT) {
            throw new IllegalStateException("one world has no more than 40,000 flows");
        }
        return port;
    }

    Reaction send(NetworkNamespace from, Flow flow, int port, Duration patience) throws Exception {
        try {
            return new Reaction.Answered(
                    Listeners.Answer.parse(
                            switch (flow.protocol()) {
                                case TCP -> connect(from, flow, port, patience);
                                case UDP -> exchange(from, flow, port, patience);
                                case SCTP ->
                                        throw new IllegalArgumentException(
                                                "SCTP is not played: " + flow);
                            }));
        } catch (PortUnreachableException | ConnectException | NoRouteToHostException _) {
            return new Reaction.Refused();
        } catch (SocketTimeoutException _) {
            return new Reaction.Silence();
        } catch (IOException e) {
            throw new IOException(flow + " from port " + port, e);
        }
    }

    private static String connect(NetworkNamespace from, Flow flow, int port, Duration patience)
            throws Exception {
        ProtocolFamily family = Listeners.protocolFamily(flow.family());
        try (SocketChannel channel = from.call(() -> SocketChannel.open(family))) {
            // Closing resets the connection, which leaves nothing in TIME_WAIT on either side.
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.bind(Listeners.socketAddress(flow.source(), port));
            channel.socket().connect(target(flow), millis(patience));
            channel.socket().setSoTimeout(millis(patience));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            channel.socket().getInputStream().transferTo(answer);
            return answer.toString(StandardCharsets.US_ASCII);
        }
    }

    private static String exchange(NetworkNamespace from, Flow flow, int port, Duration patience)
            throws Exception {
        ProtocolFamily family = Listeners.protocolFamily(flow.family());
        try (DatagramChannel channel = from.call(() -> DatagramChannel.open(family))) {
            channel.bind(Listeners.socketAddress(flow.source(), port));
            channel.connect(target(flow));
            ask(channel);
            channel.socket().setSoTimeout(millis(patience));
            DatagramPacket answer = new DatagramPacket(new byte[256], 256);
            channel.socket().receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII);
        }
    }

    /// A local sender is told "not permitted" at once when its datagram is dropped, and also when
    /// it is refused; only in the second case an ICMP message follows.
    private static void ask(DatagramChannel channel) throws IOException {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {'?'}));
        } catch (IOException e) {
            if (!"Operation not permitted".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    private static InetSocketAddress target(Flow flow) {
        return Listeners.socketAddress(flow.destination(), flow.port());
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
