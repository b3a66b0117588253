package dev.pointsman.packet.conntrack;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServicePortName;
import java.util.Comparator;

/// What is wrong with a flow to a Service that conntrack keeps where no new one would go.
///
/// @param address who is to answer it: an endpoint, or the Service's own address
public record StaleFlow(ServicePortName owner, Fault fault, IpAddress address, int port)
        implements Comparable<StaleFlow> {

    /// Why it is stale.
    public enum Fault {
        /// Its endpoint does not answer any more.
        GONE,
        /// It began before the Service had rules with endpoints, and so goes nowhere.
        UNTRANSLATED
    }

    private static final Comparator<StaleFlow> ORDER =
            Comparator.comparing((StaleFlow stale) -> !stale.mustGo())
                    .thenComparing(StaleFlow::owner)
                    .thenComparing(StaleFlow::fault)
                    .thenComparing(StaleFlow::address)
                    .thenComparingInt(StaleFlow::port);

    /// Whether a Service proxy has to delete it. Who sends UDP does not notice, and keeps the entry
    /// alive; connections end by themselves, and are left to it (behaviour document 4).
    public boolean mustGo() {
        return owner.protocol() == Protocol.UDP;
    }

    /// What deletes all that wait for this answer.
    public String remedy() {
        return "conntrack -D "
                + (address.family() == Family.IPV6 ? "-f ipv6 " : "")
                + "-p "
                + owner.protocol().keyword()
                + " --reply-src "
                + address
                + " --reply-port-src "
                + port;
    }

    /// The fault in words.
    public String words() {
        String at = new Endpoint(address, port, Endpoint.Place.ELSEWHERE).toString();
        return switch (fault) {
            case GONE -> "pinned to " + at + ", which is no endpoint any more";
            case UNTRANSLATED -> "untranslated to " + at + ", though there are endpoints";
        };
    }

    @Override
    public int compareTo(StaleFlow other) {
        return ORDER.compare(this, other);
    }
}
