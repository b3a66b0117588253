package dev.pointsman.netlink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A network namespace, by the file that stands for it (network_namespaces(7)).
///
/// The file is opened when it is used, so a namespace that is gone by then gives a
/// [NetlinkException].
public record NetworkNamespace(Path file) {
    private static final int O_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;

    /// The namespace of the calling thread, for as long as that thread lives.
    public static NetworkNamespace current() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return ofPath(Path.of("/proc").resolve(thread).resolve("ns/net"));
        } catch (IOException e) {
            throw new NetlinkException("find this thread under /proc: " + e + "; mount procfs", e);
        }
    }

    /// A namespace that `ip netns add` made.
    public static NetworkNamespace named(String name) {
        return ofPath(Path.of("/var/run/netns").resolve(name));
    }

    public static NetworkNamespace ofPath(Path file) {
        return new NetworkNamespace(file);
    }

    /// Runs a task on a thread of its own inside this namespace and waits for it. Sockets that the
    /// task opens belong to this namespace for as long as they live, whoever uses them.
    ///
    /// What the task throws comes through. An interrupt of the waiting thread is passed on to the
    /// task, and stays set here once the task has ended.
    public <T> T call(Callable<T> task) throws Exception {
        var inside =
                new FutureTask<>(
                        () -> {
                            enter();
                            return task.call();
                        });
        // A platform thread: setns changes the kernel thread, which a virtual thread shares with
        // others.
        Thread thread = Thread.ofPlatform().name("netns " + file.getFileName()).start(inside);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return inside.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                    thread.interrupt();
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw e;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void enter() {
        int descriptor = LibC.CALLS.open(file.toString(), O_CLOEXEC);
        if (descriptor < 0) {
            throw NetlinkException.refused("open network namespace " + file, LibC.errno(), "");
        }
        int result = LibC.CALLS.setns(descriptor, CLONE_NEWNET);
        int errno = LibC.errno();
        LibC.CALLS.close(descriptor);
        if (result < 0) {
            throw NetlinkException.refused("enter network namespace " + file, errno, "");
        }
    }
}
