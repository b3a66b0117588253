package dev.pointsman.iptables;

/// One line of `iptables-restore` input.
public record Line(String text, Subject subject) {}
