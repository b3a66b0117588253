package dev.pointsman.packet.netfilter;

/// A set, map or verdict map of a table; an ipset is one too.
///
/// @param timeout how long elements that packets add live if the statement does not say, in
///   milliseconds; [Element#FOREVER] if they stay
public record NamedSet(String name, Elements elements, long timeout) {}
