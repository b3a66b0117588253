package dev.pointsman.packet.netfilter;

/// Where a packet goes after a rule.
public sealed interface Verdict {
    /// Done with this base chain; the next one of the hook sees the packet.
    record Accept() implements Verdict {}

    /// Gone.
    record Drop() implements Verdict {}

    /// Gone, with an answer.
    record Reject(Refusal refusal) implements Verdict {}

    /// Back to the calling chain; in a base chain, its policy.
    record Return() implements Verdict {}

    /// On with the next rule.
    record Continue() implements Verdict {}

    /// Through `chain` and back.
    record Jump(String chain) implements Verdict {}

    /// On in `chain`, whose end is the end of this one.
    record Goto(String chain) implements Verdict {}

    /// How a rejected packet is answered (nft(8) REJECT STATEMENT, iptables-extensions(8) REJECT).
    enum Refusal {
        PORT_UNREACHABLE,
        HOST_UNREACHABLE,
        NET_UNREACHABLE,
        PROTOCOL_UNREACHABLE,
        NET_PROHIBITED,
        HOST_PROHIBITED,
        ADMIN_PROHIBITED,
        NO_ROUTE,
        ADDRESS_UNREACHABLE,
        POLICY_FAIL,
        ROUTE_REJECTED,
        TCP_RESET
    }
}
