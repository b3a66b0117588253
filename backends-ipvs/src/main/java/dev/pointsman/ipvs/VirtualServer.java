package dev.pointsman.ipvs;

import dev.pointsman.iptables.Subject;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;

/// A virtual server as it shall be.
///
/// @param servers those that get new connections, each as many as the others
/// @param subject the Service that it is for
record VirtualServer(
        ServerKey key, Balancing balancing, SortedSet<RealServer> servers, Subject subject) {

    /// How it chooses.
    ///
    /// @param persistence for how many seconds a client keeps its real server; 0 for not at all
    record Balancing(String scheduler, int persistence) {

        /// A way that the hash schedulers have and others have not.
        enum Flag {
            /// A client whose real server drains gets another one; without it, it is refused.
            FALLBACK,
            /// The client's port counts: by the address alone all connections of a busy client, or
            /// of all clients behind one translator, go to one real server.
            PORT
        }

        private static final String SOURCE_HASH = "sh";
        private static final String MAGLEV = "mh";

        /// kube-proxy gives Maglev its port and nobody a fallback.
        Set<Flag> flags() {
            return switch (scheduler) {
                case SOURCE_HASH -> EnumSet.of(Flag.FALLBACK);
                case MAGLEV -> EnumSet.of(Flag.FALLBACK, Flag.PORT);
                default -> EnumSet.noneOf(Flag.class);
            };
        }

        /// As ipvsadm(8) takes it.
        String text() {
            return "-s "
                    + scheduler
                    + (flags().isEmpty() ? "" : " -b " + flagNames())
                    + (persistence == 0 ? "" : " -p " + persistence);
        }

        private String flagNames() {
            return flags().stream()
                    .map(flag -> scheduler + "-" + flag.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(","));
        }
    }

    VirtualServer {
        servers = Collections.unmodifiableSortedSet(servers);
    }
}
