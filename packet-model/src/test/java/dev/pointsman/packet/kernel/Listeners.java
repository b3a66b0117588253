package dev.pointsman.packet.kernel;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.netlink.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// Every endpoint of a world: answers each connection, and each datagram, with its own address and
/// port and the address it saw.
final class Listeners implements AutoCloseable {
    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer question = ByteBuffer.allocate(64);

    /// @param endpoint address and port of the one who answers
    record Answer(InetSocketAddress endpoint, InetAddress saw) {
        static Answer parse(String text) throws IOException {
            String[] words = text.strip().split(" ", -1);
            if (words.length != 3) {
                throw new IOException("expected an answer of three words, found " + text);
            }
            return new Answer(
                    new InetSocketAddress(
                            InetAddress.ofLiteral(words[0]), Integer.parseInt(words[1])),
                    InetAddress.ofLiteral(words[2]));
        }
    }

    Listeners() throws IOException {
        selector = Selector.open();
        thread = Thread.ofPlatform().daemon().name("listeners").unstarted(this::serve);
    }

    /// Opens the socket of one endpoint. All are opened before [#start].
    void open(NetworkNamespace namespace, AddressPlan.Listener listener) throws Exception {
        SocketAddress at = socketAddress(listener.address(), listener.port());
        ProtocolFamily family = protocolFamily(listener.address().family());
        switch (listener.protocol()) {
            case TCP -> {
                ServerSocketChannel channel =
                        namespace.call(() -> ServerSocketChannel.open(family));
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(at);
                register(channel, SelectionKey.OP_ACCEPT);
            }
            case UDP -> {
                DatagramChannel channel = namespace.call(() -> DatagramChannel.open(family));
                channel.bind(at);
                register(channel, SelectionKey.OP_READ);
            }
            case SCTP -> {
                // Not played: see the package's documentation.
            }
        }
    }

    void start() {
        thread.start();
    }

    private void register(SelectableChannel channel, int operation) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, operation);
    }

    private void serve() {
        try {
            while (selector.isOpen()) {
                selector.select(this::answer);
            }
        } catch (ClosedSelectorException _) {
            return; // the world is closed
        } catch (IOException e) {
            throw new IllegalStateException("endpoints can no longer be served", e);
        }
    }

    private void answer(SelectionKey key) {
        try {
            switch (key.channel()) {
                case ServerSocketChannel server -> {
                    try (SocketChannel connection = server.accept()) {
                        if (connection != null) {
                            connection.write(
                                    text(server.getLocalAddress(), connection.getRemoteAddress()));
                        }
                    }
                }
                case DatagramChannel socket -> {
                    SocketAddress client = socket.receive(question.clear());
                    if (client != null) {
                        socket.send(text(socket.getLocalAddress(), client), client);
                    }
                }
                default -> throw new IllegalStateException("no such channel: " + key.channel());
            }
        } catch (IOException e) {
            // One client that went away, or cannot be reached, is what its own side reports.
            System.err.println("endpoint " + key.channel() + ": " + e);
        }
    }

    private static ByteBuffer text(SocketAddress endpoint, SocketAddress client) {
        if (!(endpoint instanceof InetSocketAddress here)
                || !(client instanceof InetSocketAddress there)) {
            throw new IllegalArgumentException("no IP address: " + endpoint + ", " + client);
        }
        String text =
                here.getAddress().getHostAddress()
                        + " "
                        + here.getPort()
                        + " "
                        + there.getAddress().getHostAddress()
                        + "\n";
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    static ProtocolFamily protocolFamily(Family family) {
        return switch (family) {
            case IPV4 -> StandardProtocolFamily.INET;
            case IPV6 -> StandardProtocolFamily.INET6;
        };
    }

    static InetSocketAddress socketAddress(IpAddress address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address.bytes()), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
