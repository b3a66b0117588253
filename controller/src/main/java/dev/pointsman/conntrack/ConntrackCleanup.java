package dev.pointsman.conntrack;

import dev.pointsman.graph.ExpectedFlows;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.StaleFlows;
import dev.pointsman.netlink.ConntrackDeletion;
import dev.pointsman.netlink.ConntrackEntry;
import dev.pointsman.netlink.ConntrackFlow;
import dev.pointsman.netlink.ConntrackListing;
import dev.pointsman.netlink.ConntrackSocket;
import dev.pointsman.netlink.IpFamily;
import dev.pointsman.netlink.LinkSocket;
import dev.pointsman.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Deletes stale flows from the conntrack of the calling thread's network namespace. However long
/// the kernel's table is, it is listed in one piece and not kept.
public final class ConntrackCleanup implements FlowCleanup {
    /// So many stale flows are kept until they are deleted together.
    private static final int BATCH = 1024;

    @Override
    public Result clean(ExpectedFlows flows) {
        try {
            StaleFlows stale = flows.staleOn(addresses());
            return stale.isEmpty()
                    ? new Result.Cleaned(0, 0, List.of())
                    : clean(stale, family(flows.family()));
        } catch (NetlinkException e) {
            return new Result.Failed(String.valueOf(e.getMessage()));
        }
    }

    /// A Node object names few of a node's addresses.
    private static Set<IpAddress> addresses() {
        try (LinkSocket links = LinkSocket.open()) {
            return links.addresses().stream()
                    .map(each -> IpAddress.of(each.address()))
                    .collect(Collectors.toSet());
        }
    }

    private static IpFamily family(Family family) {
        return switch (family) {
            case IPV4 -> IpFamily.IPV4;
            case IPV6 -> IpFamily.IPV6;
        };
    }

    private static Result clean(StaleFlows stale, IpFamily family) {
        try (ConntrackSocket listing = ConntrackSocket.open();
                ConntrackSocket deleting = ConntrackSocket.open()) {
            var pass = new Pass(stale, deleting);
            ConntrackListing listed = listing.list(family, pass::take);
            pass.delete();
            return new Result.Cleaned(listed.entries(), pass.deleted, pass.remarks(listed));
        }
    }

    /// Deletes while the listing goes on.
    private static final class Pass {
        private final StaleFlows stale;
        private final ConntrackSocket deleting;
        private final List<ConntrackFlow> found = new ArrayList<>();
        private long deleted;
        private long refused;
        private String refusal = "";

        Pass(StaleFlows stale, ConntrackSocket deleting) {
            this.stale = stale;
            this.deleting = deleting;
        }

        void take(ConntrackEntry entry) {
            if (stale.hasPort(entry.destinationPort())
                    && stale.contains(
                            IpAddress.of(entry.destination()),
                            entry.destinationPort(),
                            IpAddress.of(entry.answerer()),
                            entry.answererPort())) {
                found.add(entry.flow());
                if (found.size() == BATCH) {
                    delete();
                }
            }
        }

        void delete() {
            ConntrackDeletion deletion = deleting.delete(found);
            found.clear();
            deleted += deletion.deleted();
            refused += deletion.refused().size();
            if (refusal.isEmpty() && !deletion.refused().isEmpty()) {
                refusal = deletion.refused().getFirst();
            }
        }

        List<String> remarks(ConntrackListing listed) {
            List<String> remarks = new ArrayList<>();
            if (refused > 0) {
                remarks.add(refused + " more could not be deleted, the first: " + refusal);
            }
            switch (listed.extent()) {
                case WHOLE -> {}
                case PARTIAL ->
                        remarks.add(
                                "conntrack changed under every listing, so that some may be left"
                                        + " until the next clean-up");
            }
            switch (listed.filter()) {
                case KERNEL -> {}
                case PROCESS ->
                        remarks.add(
                                "this kernel lists other protocols with them, which takes longer;"
                                        + " Linux 5.8 does not");
            }
            return remarks;
        }
    }
}
