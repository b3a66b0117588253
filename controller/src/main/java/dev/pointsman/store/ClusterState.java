package dev.pointsman.store;

import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.store.ClusterEvent.SliceSeen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the cluster says, as of the last event taken, and what of it changed since the last
/// [#drain]. An event that says what is known already changes nothing, so that a fresh list after a
/// reconnect makes work only for what was missed.
///
/// Owned by one thread.
public final class ClusterState {
    private record SliceName(String namespace, String name) {}

    private final String ownName;
    private final Map<ServiceName, Service> services = new HashMap<>();

    // In the order of their names. Also for Services not known (yet): slices may arrive first.
    private final Map<ServiceName, List<EndpointSlice>> slices = new HashMap<>();

    // A slice is deleted by its own name, and can be given to another Service by its label.
    private final Map<SliceName, ServiceName> owners = new HashMap<>();

    private final SortedSet<String> nodes = new TreeSet<>();
    private final SortedMap<String, List<Cidr>> ranges = new TreeMap<>();
    private Optional<NodeView> own = Optional.empty();
    private Outlook outlook = Outlook.STAYS;

    private SortedSet<ServiceName> dirty = new TreeSet<>();
    private Changes.Reach reach = Changes.Reach.THESE_SERVICES;
    private List<Trigger> triggers = new ArrayList<>();

    /// @param ownName name of the Node object of this machine
    public ClusterState(String ownName) {
        this.ownName = ownName;
    }

    /// Takes in one fact.
    public void take(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.ServiceSeen(var service) -> seen(service);
            case ClusterEvent.ServiceGone(var name) -> {
                if (services.remove(name) != null) {
                    dirty.add(name);
                }
            }
            case SliceSeen(var slice, var trigger) -> seen(slice, trigger);
            case ClusterEvent.SliceGone(var namespace, var name) ->
                    gone(new SliceName(namespace, name));
            case ClusterEvent.NodeSeen(var node, var ahead) -> seen(node, ahead);
            // The machine is still there, and so are its connections: what was known of it stays.
            case ClusterEvent.NodeGone(var name) -> nodes.remove(name);
            case ClusterEvent.ServiceRangesSeen(var name, var seen) -> {
                if (!seen.equals(ranges.put(name, seen))) {
                    reach = Changes.Reach.WHOLE_NODE;
                }
            }
            case ClusterEvent.ServiceRangesGone(var name) -> {
                if (ranges.remove(name) != null) {
                    reach = Changes.Reach.WHOLE_NODE;
                }
            }
        }
    }

    /// What changed since the last call.
    public Changes drain() {
        Changes changes = new Changes(dirty, reach, triggers);
        dirty = new TreeSet<>();
        reach = Changes.Reach.THESE_SERVICES;
        triggers = new ArrayList<>();
        return changes;
    }

    /// Whether [#drain] would return anything.
    public boolean hasChanges() {
        return !dirty.isEmpty() || reach == Changes.Reach.WHOLE_NODE;
    }

    /// What is known under `name`.
    public ServiceState state(ServiceName name) {
        Service service = services.get(name);
        return service == null
                ? new ServiceState.Absent(name)
                : new ServiceState.Present(service, slices.getOrDefault(name, List.of()));
    }

    /// The state of every Service, in the order of their names.
    public List<ServiceState.Present> all() {
        List<ServiceState.Present> all = new ArrayList<>(services.size());
        services.forEach(
                (name, service) ->
                        all.add(
                                new ServiceState.Present(
                                        service, slices.getOrDefault(name, List.of()))));
        all.sort(Comparator.comparing(ServiceState.Present::name));
        return all;
    }

    /// This machine's Node, as it was last seen.
    public Optional<NodeView> node() {
        return own;
    }

    /// Whether this machine's Node is about to go; empty before it was seen.
    public Optional<Outlook> outlook() {
        return own.map(_ -> outlook);
    }

    /// Names of all Nodes there are.
    public SortedSet<String> nodes() {
        return Collections.unmodifiableSortedSet(nodes);
    }

    /// Where cluster IPs come from, of all ServiceCIDR objects together.
    public List<Cidr> serviceRanges() {
        return ranges.values().stream().flatMap(Collection::stream).distinct().sorted().toList();
    }

    /// How many entries are held, of whatever sort: zero once everything was deleted.
    int footprint() {
        return services.size() + slices.size() + owners.size() + nodes.size() + ranges.size();
    }

    private void seen(Service service) {
        if (!service.equals(services.put(service.name(), service))) {
            dirty.add(service.name());
        }
    }

    private void seen(EndpointSlice slice, Instant trigger) {
        SliceName name = new SliceName(slice.service().namespace(), slice.name());
        ServiceName before = owners.put(name, slice.service());
        if (before != null && !before.equals(slice.service())) {
            drop(before, name);
        }
        List<EndpointSlice> old = slices.getOrDefault(slice.service(), List.of());
        if (old.contains(slice)) {
            return;
        }
        List<EndpointSlice> now = new ArrayList<>(old);
        now.removeIf(other -> other.name().equals(slice.name()));
        now.add(slice);
        now.sort(Comparator.comparing(EndpointSlice::name));
        slices.put(slice.service(), List.copyOf(now));
        touch(slice.service());
        if (!trigger.equals(SliceSeen.UNSAID) && services.containsKey(slice.service())) {
            triggers.add(new Trigger(slice.service(), slice.family(), trigger));
        }
    }

    private void gone(SliceName name) {
        ServiceName owner = owners.remove(name);
        if (owner != null) {
            drop(owner, name);
            // A slice that is deleted does not say why, and its Service has lost what it spoke of.
            triggers.removeIf(trigger -> trigger.service().equals(owner));
        }
    }

    private void drop(ServiceName owner, SliceName name) {
        slices.computeIfPresent(
                owner,
                (_, old) -> {
                    List<EndpointSlice> now =
                            old.stream().filter(s -> !s.name().equals(name.name())).toList();
                    return now.isEmpty() ? null : now;
                });
        touch(owner);
    }

    /// Slices of a Service that is not there decide nothing.
    private void touch(ServiceName owner) {
        if (services.containsKey(owner)) {
            dirty.add(owner);
        }
    }

    private void seen(NodeView node, Outlook ahead) {
        nodes.add(node.name());
        if (!node.name().equals(ownName)) {
            return;
        }
        outlook = ahead;
        if (!own.equals(Optional.of(node))) {
            own = Optional.of(node);
            reach = Changes.Reach.WHOLE_NODE;
        }
    }
}
