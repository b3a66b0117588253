package dev.pointsman.netlink;

/// After how many seconds of silence IPVS forgets connections; one setting for a network namespace.
///
/// @param tcp of an open TCP connection
/// @param tcpFin of a TCP connection that one side has closed
/// @param udp of UDP
public record IpvsTimeouts(int tcp, int tcpFin, int udp) {
    public IpvsTimeouts {
        if (tcp < 0 || tcpFin < 0 || udp < 0) {
            throw new IllegalArgumentException(
                    "timeouts of " + tcp + ", " + tcpFin + " and " + udp + " seconds");
        }
    }
}
