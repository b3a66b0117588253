package dev.pointsman.packet.netfilter;

import dev.pointsman.packet.netfilter.VirtualServer.RealServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// How a virtual server chooses among its real servers: a kernel module, and what of it is switched
/// on.
///
/// Nothing is predicted that depends on load, on a place in a ring or on a hash: the model says in
/// which shares connections go to real servers, over many of them.
///
/// @param name as ipvsadm has it, such as `rr`
public record Scheduler(String name, SortedSet<Flag> flags) {

    /// Switches of the schedulers that hash.
    public enum Flag {
        /// Whom a hash leads to a real server of weight 0 gets another one: `sh-fallback`,
        /// `mh-fallback`.
        FALLBACK,
        /// The source's port is hashed as well: `sh-port`, `mh-port`.
        PORT
    }

    /// How new connections are spread.
    private enum Spread {
        /// All real servers with a weight alike.
        EVEN,
        WEIGHTED,
        /// The first of those with the highest weight.
        HEAVIEST,
        /// By a hash of the sender: also to real servers of weight 0, which refuse then.
        HASHED,
        /// As above, weights playing no part.
        HASHED_EVENLY,
        UNKNOWN
    }

    /// The chance of a real server, or of there being none.
    sealed interface Chance {
        Fraction share();

        record Of(RealServer server, Fraction share) implements Chance {}

        record Nobody(Fraction share) implements Chance {}
    }

    public Scheduler {
        flags = Collections.unmodifiableSortedSet(new TreeSet<>(flags));
    }

    public static Scheduler of(String name) {
        return new Scheduler(name, Collections.emptySortedSet());
    }

    private Spread spread() {
        return switch (name) {
            case "rr", "lc" -> Spread.EVEN;
            case "wrr", "wlc", "sed", "nq", "lblc", "lblcr", "twos" -> Spread.WEIGHTED;
            case "fo" -> Spread.HEAVIEST;
            case "sh", "mh" -> Spread.HASHED;
            case "dh" -> Spread.HASHED_EVENLY;
            default -> Spread.UNKNOWN;
        };
    }

    /// Whether the model knows how it chooses.
    boolean isKnown() {
        return spread() != Spread.UNKNOWN;
    }

    /// Whom a new connection gets. Their shares add up to 1.
    List<Chance> chances(List<RealServer> servers) {
        return switch (spread()) {
            case EVEN, UNKNOWN -> shared(weighty(servers), Weighing.ALIKE);
            case WEIGHTED -> shared(weighty(servers), Weighing.BY_WEIGHT);
            case HEAVIEST -> shared(heaviest(servers), Weighing.ALIKE);
            case HASHED ->
                    shared(
                            flags.contains(Flag.FALLBACK) ? weighty(servers) : servers,
                            Weighing.BY_WEIGHT);
            case HASHED_EVENLY -> shared(servers, Weighing.ALIKE);
        };
    }

    private enum Weighing {
        ALIKE,
        BY_WEIGHT
    }

    private static List<RealServer> weighty(List<RealServer> servers) {
        return servers.stream().filter(server -> server.weight() > 0).toList();
    }

    private static List<RealServer> heaviest(List<RealServer> servers) {
        int heaviest = servers.stream().mapToInt(RealServer::weight).max().orElse(0);
        return weighty(servers).stream()
                .filter(server -> server.weight() == heaviest)
                .limit(1)
                .toList();
    }

    /// A real server of weight 0 keeps its place in a table of hashes. How large that is depends on
    /// the weight it had (ip_vs_mh.c, `last_weight`), which nothing tells: it is taken for 1, which
    /// it is with `sh`.
    private static List<Chance> shared(List<RealServer> servers, Weighing weighing) {
        long total = 0;
        for (RealServer server : servers) {
            total += places(server, weighing);
        }
        if (total == 0) {
            return List.of(new Chance.Nobody(Fraction.ONE));
        }
        long nobody = 0;
        List<Chance> chances = new ArrayList<>(servers.size());
        for (RealServer server : servers) {
            long places = places(server, weighing);
            if (server.weight() > 0) {
                chances.add(new Chance.Of(server, Fraction.of(places, total)));
            } else {
                nobody += places;
            }
        }
        if (nobody > 0) {
            chances.add(new Chance.Nobody(Fraction.of(nobody, total)));
        }
        return chances;
    }

    private static long places(RealServer server, Weighing weighing) {
        return switch (weighing) {
            case ALIKE -> 1;
            case BY_WEIGHT -> Math.max(1, server.weight());
        };
    }

    /// As ipvsadm prints it.
    @Override
    public String toString() {
        return flags.isEmpty()
                ? name
                : name + " " + flags.stream().map(this::spelt).collect(Collectors.joining(","));
    }

    private String spelt(Flag flag) {
        return name
                + switch (flag) {
                    case FALLBACK -> "-fallback";
                    case PORT -> "-port";
                };
    }
}
