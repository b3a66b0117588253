package dev.pointsman.perf.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// All pods of a [Town]: each answers a connection with its own address, in four bytes, and hangs
/// up.
final class Pods implements AutoCloseable {
    /// The target port of generated Services.
    static final int PORT = 8080;

    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final ServerSocketChannel server;

    private Pods(Selector selector, ServerSocketChannel server) {
        this.selector = selector;
        this.server = server;
    }

    static Pods open(Town town) throws IOException {
        ServerSocketChannel server = Town.call(town.pods(), ServerSocketChannel::open);
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        server.bind(new InetSocketAddress(PORT), BACKLOG);
        server.configureBlocking(false);
        Selector selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
        Pods pods = new Pods(selector, server);
        Thread.ofPlatform().name("pods").daemon().start(pods::serve);
        return pods;
    }

    private void serve() {
        try {
            while (selector.isOpen()) {
                selector.select(_ -> answer());
            }
        } catch (ClosedSelectorException _) {
            return; // closed between the question and the answer
        } catch (IOException e) {
            throw new IllegalStateException("pods can no longer answer", e);
        }
    }

    private void answer() {
        try (SocketChannel connection = server.accept()) {
            if (connection != null
                    && connection.getLocalAddress() instanceof InetSocketAddress here) {
                connection.write(ByteBuffer.wrap(here.getAddress().getAddress()));
            }
        } catch (IOException _) {
            return; // a client that went away counts what it missed itself
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        server.close();
    }
}
