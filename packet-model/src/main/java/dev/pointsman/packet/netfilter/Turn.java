package dev.pointsman.packet.netfilter;

/// What one rule did with a packet.
sealed interface Turn {
    Situation situation();

    /// The next rule sees it.
    record On(Situation situation) implements Turn {}

    record Judged(Situation situation, Verdict verdict) implements Turn {}

    /// Translation had no address to give, and the packet is dropped.
    record Addressless(Situation situation) implements Turn {}
}
