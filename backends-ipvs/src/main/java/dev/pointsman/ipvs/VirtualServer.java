package dev.pointsman.ipvs;

import dev.pointsman.iptables.Subject;
import java.util.Collections;
import java.util.SortedSet;

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

        /// Maglev by address and port: by the address alone all connections of a busy client, or of
        /// all clients behind one translator, go to one real server.
        private static final String MAGLEV = "mh";

        /// Whether the scheduler gets its flag `mh-port`.
        boolean hashesPorts() {
            return scheduler.equals(MAGLEV);
        }

        /// As ipvsadm(8) takes it.
        String text() {
            return "-s "
                    + scheduler
                    + (hashesPorts() ? " -b mh-port" : "")
                    + (persistence == 0 ? "" : " -p " + persistence);
        }
    }

    VirtualServer {
        servers = Collections.unmodifiableSortedSet(servers);
    }
}
