package dev.pointsman.packet.netfilter;

import dev.pointsman.graph.IpAddress;
import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;

/// Addresses in the order given, and an index over them: a node may have one for each Service.
final class Addresses extends AbstractList<Node.Address> implements RandomAccess {
    private final List<Node.Address> all;
    private final Set<IpAddress> own = new HashSet<>();

    /// Those whose network has other addresses in it.
    private final List<Node.Address> networks;

    private Addresses(List<Node.Address> all) {
        this.all = List.copyOf(all);
        all.forEach(address -> own.add(address.address()));
        networks =
                all.stream()
                        .filter(address -> address.length() < address.address().family().bits())
                        .toList();
    }

    static Addresses of(List<Node.Address> addresses) {
        return addresses instanceof Addresses indexed ? indexed : new Addresses(addresses);
    }

    boolean has(IpAddress address) {
        return own.contains(address);
    }

    List<Node.Address> networks() {
        return networks;
    }

    @Override
    public Node.Address get(int index) {
        return all.get(index);
    }

    @Override
    public int size() {
        return all.size();
    }
}
