package dev.pointsman.iptables;

import java.util.Locale;

/// Which of the two kernel interfaces the iptables programs use. Rules in one are invisible in the
/// other, and packets meet both.
enum Variant {
    /// nf_tables; a restore is atomic and touches only what it names.
    NFT,
    /// ip_tables; a restore replaces whole tables.
    LEGACY;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
