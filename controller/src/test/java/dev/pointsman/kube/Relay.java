package dev.pointsman.kube;

import dev.pointsman.netlink.NetworkNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A wire to a server of this machine that can be cut, swallow everything, and be mended.
public final class Relay implements AutoCloseable {
    private static final int BYTES = 8192;

    private final ServerSocket listening;
    private final Callable<Socket> server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> deaf = ConcurrentHashMap.newKeySet();
    private volatile Wire wire = Wire.WHOLE;

    private enum Wire {
        WHOLE,
        CUT,
        /// Takes everything and passes nothing on.
        DEAF
    }

    Relay(int server) throws IOException {
        this(listening(), () -> connected(server));
    }

    /// A wire from the network namespace of the calling thread to a server in another. Its threads
    /// belong to that one: those that carry virtual threads serve whoever comes after.
    public static Relay into(NetworkNamespace home, int server) throws Exception {
        ServerSocket listening = listening();
        return home.call(() -> new Relay(listening, () -> home.call(() -> connected(server))));
    }

    private static Socket connected(int server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server);
    }

    /// A wire from `listening`, which it closes, to whatever `server` connects to.
    private Relay(ServerSocket listening, Callable<Socket> server) {
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

    public void cut() {
        wire = Wire.CUT;
        open.forEach(Relay::close);
    }

    /// What is connected now will never be heard of again, as when a load balancer has lost its
    /// memory; nor what connects until [#mend].
    public void deafen() {
        wire = Wire.DEAF;
        deaf.addAll(open);
    }

    public void mend() {
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
            switch (wire) {
                case WHOLE -> {}
                case CUT -> {
                    close(client);
                    close(upstream);
                }
                case DEAF -> deaf.addAll(List.of(client, upstream));
            }
            threads.execute(() -> copy(client, upstream));
            threads.execute(() -> copy(upstream, client));
        } catch (Exception _) {
            open.forEach(Relay::close); // Nothing listens any more, here or behind.
        }
    }

    private void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[BYTES];
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                if (!deaf.contains(from)) {
                    out.write(some, 0, read);
                }
            }
        } catch (IOException _) {
            // Either end may hang up at any time.
        }
        // Of whoever is not heard any more, nobody hears that he has hung up.
        if (!deaf.contains(from)) {
            close(from);
            close(to);
            open.removeAll(List.of(from, to));
        }
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
