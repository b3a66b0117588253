package dev.pointsman.serve;

import java.time.Duration;

/// What a client may cost.
///
/// @param request from the connection, or the answer before, to the end of the next request
/// @param answer until the client has taken the answer
/// @param connections at once on one port
record Limits(Duration request, Duration answer, int connections) {
    static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), 64);

    static final int LINE_BYTES = 2048;
    static final int HEADER_BYTES = 8192;

    /// A number is the longest that a page takes.
    static final int BODY_BYTES = 16;
}
