package dev.pointsman.netlink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A network namespace of one test, with its loopback interface up; deleted on close.
public final class TestNamespace implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final int SECONDS = 120;

    private final String name;

    private TestNamespace(String name) {
        this.name = name;
    }

    public static TestNamespace create() {
        String name = "pointsman-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
        execute("", List.of("ip", "netns", "add", name));
        var namespace = new TestNamespace(name);
        namespace.run("ip", "link", "set", "lo", "up");
        return namespace;
    }

    /// The name that `ip netns` knows it by.
    public String name() {
        return name;
    }

    public NetworkNamespace namespace() {
        return NetworkNamespace.named(name);
    }

    /// Runs a program in the namespace and gives its output; a failure is an [AssertionError].
    public String run(String... command) {
        return feed("", command);
    }

    /// As [#run(String...)], with text on standard input.
    public String feed(String input, String... command) {
        List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", name));
        inside.addAll(List.of(command));
        return execute(input, inside);
    }

    /// Hangs `peer` on this namespace by a wire of its own: `link` here, `eth0` there. Each end has
    /// one address, whatever else has the one here, and everything that leaves `peer` comes here.
    public void wire(String link, TestNamespace peer, String here, String there) {
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", peer.name);
        run("ip", "addr", "add", here + "/32", "dev", link);
        run("ip", "link", "set", link, "up");
        run("ip", "route", "add", there + "/32", "dev", link);
        peer.run("ip", "addr", "add", there + "/32", "dev", "eth0");
        peer.run("ip", "link", "set", "eth0", "up");
        peer.run("ip", "route", "add", here + "/32", "dev", "eth0");
        peer.run("ip", "route", "add", "default", "via", here, "dev", "eth0");
    }

    @Override
    public void close() {
        execute("", List.of("ip", "netns", "delete", name));
    }

    private static String execute(String input, List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end: " + output);
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(
                        command + " failed with " + process.exitValue() + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + command, e);
        }
    }
}
