package dev.pointsman.ipvs;

import dev.pointsman.graph.Family;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/// The ipsets of kube-proxy's IPVS mode (behaviour document 3.3.4).
final class KubeProxySets {
    private static final int LONGEST_NAME = 31;

    private static final Set<String> NAMES =
            Set.of(
                    "LOOP-BACK",
                    "CLUSTER-IP",
                    "EXTERNAL-IP",
                    "EXTERNAL-IP-LOCAL",
                    "LOAD-BALANCER",
                    "LOAD-BALANCER-LOCAL",
                    "LOAD-BALANCER-FW",
                    "LOAD-BALANCER-SOURCE-CIDR",
                    "LOAD-BALANCER-SOURCE-IP",
                    "NODE-PORT-TCP",
                    "NODE-PORT-LOCAL-TCP",
                    "NODE-PORT-UDP",
                    "NODE-PORT-LOCAL-UDP",
                    "NODE-PORT-SCTP-HASH",
                    "NODE-PORT-LOCAL-SCTP-HASH",
                    "HEALTH-CHECK-NODE-PORT",
                    "IPVS-IPS");

    private KubeProxySets() {}

    /// Whether kube-proxy makes a set of this name.
    static boolean isLeftover(String name, Family family) {
        return names(family).anyMatch(name::equals);
    }

    /// Whether we make a set of this name.
    static boolean isOurs(String name, Family family) {
        return name.equals(ServiceSet.substitute(family))
                || Arrays.stream(ServiceSet.values())
                        .anyMatch(set -> set.name(family).equals(name));
    }

    /// Whether kube-proxy or we make a set of this name.
    static boolean isKnown(String name, Family family) {
        return isLeftover(name, family) || isOurs(name, family);
    }

    /// kube-proxy cuts the names of IPv6 sets that get too long.
    private static Stream<String> names(Family family) {
        return NAMES.stream()
                .map(
                        name ->
                                switch (family) {
                                    case IPV4 -> "KUBE-" + name;
                                    case IPV6 -> cut("KUBE-6-" + name);
                                });
    }

    private static String cut(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }
}
