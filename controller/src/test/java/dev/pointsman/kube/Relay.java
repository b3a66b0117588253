package dev.pointsman.kube;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A wire to a server of this machine that can be cut and mended.
public final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final Callable<Socket> server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Wire wire = Wire.WHOLE;

    private enum Wire {
        WHOLE,
        CUT
    }

    Relay(int server) throws IOException {
        this(listening(), () -> new Socket(InetAddress.getLoopbackAddress(), server));
    }

    /// A wire from `listening`, which it closes, to whatever `server` connects to.
    public Relay(ServerSocket listening, Callable<Socket> server) {
        this.listening = listening;
        this.server = server;
        threads.execute(this::accept);
    }

    /// A socket on any port of the loopback interface.
    public static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    public int port() {
        return listening.getLocalPort();
    }

    void cut() {
        wire = Wire.CUT;
        open.forEach(Relay::close);
    }

    void mend() {
        wire = Wire.WHOLE;
    }

    private void accept() {
        while (!listening.isClosed()) {
            acceptOne();
        }
    }

    private void acceptOne() {
        try {
            Socket client = listening.accept();
            Socket upstream = server.call();
            open.add(client);
            open.add(upstream);
            if (wire == Wire.CUT) {
                close(client);
                close(upstream);
            }
            threads.execute(() -> copy(client, upstream));
            threads.execute(() -> copy(upstream, client));
        } catch (Exception _) {
            open.forEach(Relay::close); // Nothing listens any more, here or behind.
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException _) {
            close(to); // Either end may hang up at any time.
        }
        open.remove(from);
    }

    private static void close(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        close(listening);
        cut();
        threads.shutdownNow();
    }
}
