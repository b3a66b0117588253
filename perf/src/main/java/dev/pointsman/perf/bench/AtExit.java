package dev.pointsman.perf.bench;

import java.io.Closeable;
import java.io.IOException;

/// Closes something should this process be told to end before it is done with it: namespaces and
/// processes outlive whoever made them.
final class AtExit implements AutoCloseable {
    private final Thread hook;

    AtExit(Closeable left) {
        hook =
                Thread.ofPlatform()
                        .unstarted(
                                () -> {
                                    try {
                                        left.close();
                                    } catch (IOException e) {
                                        System.err.println("error: " + e.getMessage());
                                    }
                                });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            return; // it is running already
        }
    }
}
