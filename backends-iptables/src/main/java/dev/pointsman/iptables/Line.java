package dev.pointsman.iptables;

/// One line of `iptables-restore` input.
record Line(String text, Subject subject) {}
