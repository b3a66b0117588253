package dev.pointsman.iptables;

/// A rule in a chain that is not ours and leads into one of ours.
public record Jump(Table table, String from, Rule rule) {}
