package dev.pointsman.serve;

import dev.pointsman.notice.Reason;

/// What a server of this process is for.
enum Purpose {
    HEALTHZ("healthz", Reason.HEALTHZ_FAILED),
    METRICS("metrics", Reason.METRICS_FAILED);

    private final String word;
    private final Reason failure;

    Purpose(String word, Reason failure) {
        this.word = word;
        this.failure = failure;
    }

    /// As it is called in the log.
    String word() {
        return word;
    }

    /// Why there is an Event when it cannot be had.
    Reason failure() {
        return failure;
    }
}
