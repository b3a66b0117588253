package dev.pointsman.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A range of addresses with a common prefix. Host bits are cleared when it is made.
///
/// @param length length of the prefix in bits
public record Cidr(IpAddress base, int length) implements Comparable<Cidr> {
    public Cidr {
        if (length < 0 || length > base.family().bits()) {
            throw new IllegalArgumentException(
                    "a prefix of " + length + " bits does not fit " + base.family().title());
        }
        base = masked(base, length);
    }

    /// Reads `address/length`.
    ///
    /// @throws IllegalArgumentException when `text` is no range; the message quotes it
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no address range (address/prefix length)");
        }
        try {
            return new Cidr(
                    IpAddress.parse(text.substring(0, slash)),
                    Integer.parseInt(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no address range: " + e.getMessage(), e);
        }
    }

    /// The range that holds nothing but `address`.
    public static Cidr of(IpAddress address) {
        return new Cidr(address, address.family().bits());
    }

    /// The fewest ranges that hold the same addresses as `ranges` without overlap: the kernel's
    /// interval sets refuse a range inside another one.
    public static SortedSet<Cidr> union(Collection<Cidr> ranges) {
        List<Cidr> widestFirst = new ArrayList<>(new TreeSet<>(ranges));
        TreeSet<Cidr> kept = new TreeSet<>();
        for (Cidr range : widestFirst) {
            // Sorted by base and then by length, a range that covers this one comes before it and,
            // as
            // ranges nest or are disjoint, is the last one kept.
            if (kept.isEmpty() || !kept.last().contains(range)) {
                kept.add(range);
            }
        }
        return kept;
    }

    public Family family() {
        return base.family();
    }

    public boolean contains(IpAddress address) {
        return address.family() == family() && masked(address, length).equals(base);
    }

    public boolean contains(Cidr other) {
        return other.length >= length && contains(other.base);
    }

    /// The highest address of the range.
    public IpAddress last() {
        return switch (base) {
            case IpAddress.Ipv4(int bits) ->
                    new IpAddress.Ipv4(length == 32 ? bits : bits | -1 >>> length);
            case IpAddress.Ipv6(long high, long low) ->
                    new IpAddress.Ipv6(
                            length >= 64 ? high : high | -1L >>> length,
                            length == 128 ? low : length <= 64 ? -1L : low | -1L >>> length - 64);
        };
    }

    private static IpAddress masked(IpAddress address, int length) {
        return switch (address) {
            case IpAddress.Ipv4(int bits) ->
                    new IpAddress.Ipv4(length == 0 ? 0 : bits & -1 << 32 - length);
            case IpAddress.Ipv6(long high, long low) ->
                    new IpAddress.Ipv6(
                            length == 0 ? 0 : length >= 64 ? high : high & -1L << 64 - length,
                            length <= 64 ? 0 : length == 128 ? low : low & -1L << 128 - length);
        };
    }

    @Override
    public int compareTo(Cidr other) {
        int order = base.compareTo(other.base);
        return order != 0 ? order : Integer.compare(length, other.length);
    }

    @Override
    public String toString() {
        return base + "/" + length;
    }
}
