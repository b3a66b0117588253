package dev.pointsman.netlink;

import java.util.List;

/// A set as the kernel has it.
///
/// @param members in the kernel's order, without repetition; none of a [IpsetHeader.Foreign]
public record Ipset(IpsetHeader header, List<IpsetMember> members) {
    public Ipset {
        members = List.copyOf(members);
    }
}
