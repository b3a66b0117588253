package dev.pointsman.graph;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What configuration decides about mode `ipvs` alone.
///
/// @param scheduler of virtual servers whose Service names none (ipvsadm(8), `-s`)
/// @param excluded addresses of virtual servers that are other people's
/// @param timeouts of the connections of IPVS, which are not those of conntrack
public record IpvsSettings(String scheduler, SortedSet<Cidr> excluded, Arp arp, Timeouts timeouts) {

    /// Whether the node answers ARP for addresses of its other interfaces, such as those of
    /// Services on kube-ipvs0.
    public enum Arp {
        /// As the node does.
        AS_FOUND,
        /// `arp_ignore` 1 and `arp_announce` 2, which announcers such as MetalLB need.
        STRICT
    }

    /// Seconds; 0 leaves the kernel's value.
    public record Timeouts(int tcp, int tcpFin, int udp) {
        public static final Timeouts AS_FOUND = new Timeouts(0, 0, 0);

        public Timeouts {
            if (tcp < 0 || tcpFin < 0 || udp < 0) {
                throw new IllegalArgumentException("a negative IPVS timeout");
            }
        }
    }

    // IP_VS_SCHEDNAME_MAXLEN of linux/ip_vs.h is 16 with the terminator. Which names there are only
    // the kernel knows.
    private static final Pattern SCHEDULER = Pattern.compile("[a-z0-9_-]{1,15}");

    public static final IpvsSettings DEFAULTS =
            new IpvsSettings("rr", Collections.emptySortedSet(), Arp.AS_FOUND, Timeouts.AS_FOUND);

    /// @throws IllegalArgumentException when the scheduler's name cannot be one
    public IpvsSettings {
        scheduler = schedulerName(scheduler);
        excluded = Collections.unmodifiableSortedSet(new TreeSet<>(excluded));
    }

    /// The same name, if a scheduler can have it.
    ///
    /// @throws IllegalArgumentException when none can; the message quotes it
    public static String schedulerName(String name) {
        if (!SCHEDULER.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\""
                            + name
                            + "\" is no name of an IPVS scheduler (such as rr, wlc or mh: up to 15"
                            + " small letters and digits)");
        }
        return name;
    }

    /// The excluded ranges of one family.
    public List<Cidr> excluded(Family family) {
        return excluded.stream().filter(range -> range.family() == family).toList();
    }
}
