package dev.pointsman.packet.kernel;

import java.time.Duration;

/// What a connection counts as whose first SYN is lost and whose second, a second later, is not.
public enum LostSyns {
    /// As one that nobody answers.
    NOTICED(Duration.ofMillis(900)),
    /// As any other, for programmers that are known to lose some.
    FORGIVEN(Duration.ofMillis(3900));

    private final Duration forAnAnswer;

    LostSyns(Duration forAnAnswer) {
        this.forAnAnswer = forAnAnswer;
    }

    Duration forAnAnswer() {
        return forAnAnswer;
    }
}
