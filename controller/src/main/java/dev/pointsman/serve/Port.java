package dev.pointsman.serve;

import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/// A server of this process: a port that is tried again until it is open.
final class Port {
    static final Duration RETRY = Duration.ofSeconds(5);

    private final Purpose purpose;
    private final InetSocketAddress address;
    private final Pages pages;
    private final HttpThread http;
    private final Later later;
    private final Announcer announcer;

    /// @param later for the next attempt
    Port(
            Purpose purpose,
            InetSocketAddress address,
            Pages pages,
            HttpThread http,
            Later later,
            Announcer announcer) {
        this.purpose = purpose;
        this.address = address;
        this.pages = pages;
        this.http = http;
        this.later = later;
        this.announcer = announcer;
    }

    /// Opens it, and says why not if that fails.
    Optional<String> open() {
        try {
            http.open(address, pages);
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of(
                    "cannot serve "
                            + purpose.word()
                            + " at "
                            + Addresses.spelt(address)
                            + ": "
                            + e.getMessage());
        }
    }

    /// Tries again every five seconds until it is open.
    void keepTrying(String failure) {
        announcer.say(
                Notice.ofNode(
                        purpose.failure(),
                        failure + "; tried again in " + RETRY.toSeconds() + " s"));
        later.after(
                RETRY,
                () ->
                        open().ifPresentOrElse(
                                        this::keepTrying,
                                        () ->
                                                announcer.say(
                                                        "serving "
                                                                + purpose.word()
                                                                + " at "
                                                                + Addresses.spelt(address))));
    }
}
