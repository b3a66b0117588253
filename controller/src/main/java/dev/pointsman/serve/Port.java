package dev.pointsman.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// A server of this process: a port that is tried again until it is open.
final class Port {
    static final Duration RETRY = Duration.ofSeconds(5);

    private final String name;
    private final InetSocketAddress address;
    private final Pages pages;
    private final HttpThread http;
    private final Later later;
    private final Consumer<String> log;

    /// @param name of the server, for the log
    /// @param later for the next attempt
    Port(
            String name,
            InetSocketAddress address,
            Pages pages,
            HttpThread http,
            Later later,
            Consumer<String> log) {
        this.name = name;
        this.address = address;
        this.pages = pages;
        this.http = http;
        this.later = later;
        this.log = log;
    }

    /// Opens it, and says why not if that fails.
    Optional<String> open() {
        try {
            http.open(address, pages);
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of(
                    "cannot serve "
                            + name
                            + " at "
                            + Addresses.spelt(address)
                            + ": "
                            + e.getMessage());
        }
    }

    /// Tries again every five seconds until it is open.
    void keepTrying(String failure) {
        log.accept(failure + "; tried again in " + RETRY.toSeconds() + " s");
        later.after(
                RETRY,
                () ->
                        open().ifPresentOrElse(
                                        this::keepTrying,
                                        () ->
                                                log.accept(
                                                        "serving "
                                                                + name
                                                                + " at "
                                                                + Addresses.spelt(address))));
    }
}
