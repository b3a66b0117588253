package dev.pointsman.netlink;

import java.util.List;

/// What became of entries of conntrack that were to be deleted.
///
/// @param deleted how many there were and are no more
/// @param missing how many were gone already, or had made room for a new flow between the same ends
/// @param refused why others are still there
public record ConntrackDeletion(long deleted, long missing, List<String> refused) {
    public ConntrackDeletion {
        refused = List.copyOf(refused);
    }
}
