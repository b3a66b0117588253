package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.IpAddress;
import java.util.AbstractList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.TreeSet;

/// Routes in the order given, and an index over them: a node may have one for each of its pods.
final class Routes extends AbstractList<Node.Route> implements RandomAccess {
    private final List<Node.Route> all;
    private final Map<Cidr, Node.Route> byDestination = new HashMap<>();
    private final TreeSet<Integer> lengths = new TreeSet<>(Comparator.reverseOrder());

    private Routes(List<Node.Route> all) {
        this.all = List.copyOf(all);
        for (Node.Route route : all) {
            byDestination.putIfAbsent(route.destination(), route);
            lengths.add(route.destination().length());
        }
    }

    static Routes of(List<Node.Route> routes) {
        return routes instanceof Routes indexed ? indexed : new Routes(routes);
    }

    /// The longest prefix wins; of equal ones the first.
    Optional<Node.Route> best(IpAddress destination) {
        for (int length : lengths) {
            if (length <= destination.family().bits()) {
                Node.Route route = byDestination.get(new Cidr(destination, length));
                if (route != null) {
                    return Optional.of(route);
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public Node.Route get(int index) {
        return all.get(index);
    }

    @Override
    public int size() {
        return all.size();
    }
}
