package dev.pointsman.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/// The endpoint of all Services: says who it is to everyone who connects, and repeats what it hears
/// until the other side has said all.
final class Page implements AutoCloseable {
    static final String ADDRESS = "10.128.0.10";
    static final String WORDS = "web";

    private static final int PORT = 8080;

    private final ServerSocket socket;

    private Page(ServerSocket socket) {
        this.socket = socket;
    }

    /// Answers in a pod's network until it is closed.
    static Page open(Pod pod) throws Exception {
        Page page =
                new Page(
                        pod.network()
                                .call(
                                        () ->
                                                new ServerSocket(
                                                        PORT, 50, InetAddress.getByName(ADDRESS))));
        Thread.ofVirtual().start(page::answer);
        return page;
    }

    private void answer() {
        while (true) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> answer(client));
            } catch (SocketException _) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void answer(Socket client) {
        try (client) {
            client.getOutputStream().write(WORDS.getBytes(StandardCharsets.UTF_8));
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
