package dev.pointsman.packet.scenario;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Planner;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The cluster of a scenario as its statements come in, planned for every family of the node.
final class Rehearsal {
    // Slices of one name differ in this; their name sorts before it.
    private record SliceKey(
            String slice, Family family, String portName, Protocol protocol, int port)
            implements Comparable<SliceKey> {
        String name() {
            return slice + "-" + family.title() + "-" + portName + "-" + protocol + "-" + port;
        }

        @Override
        public int compareTo(SliceKey other) {
            int order = slice.compareTo(other.slice);
            return order != 0 ? order : name().compareTo(other.name());
        }
    }

    private final Arrival arrival;
    private NodeView node = new NodeView("", "", List.of(), List.of());
    private Settings settings = Settings.nftablesDefaults();
    private final Map<ServiceName, Service> services = new LinkedHashMap<>();
    private final Map<EndpointPlace, EndpointSlice.Entry> endpoints = new LinkedHashMap<>();
    private final Map<Family, Planner> planners = new EnumMap<>(Family.class);

    Rehearsal(Arrival arrival) {
        this.arrival = arrival;
    }

    List<Sync> syncs(List<Scenario.Step> steps) {
        List<Sync> syncs = new ArrayList<>();
        for (Scenario.Step step : steps) {
            syncs.add(sync(step));
        }
        List<Fact> removal = new ArrayList<>();
        services.keySet().forEach(name -> removal.add(new Fact.ServiceGone(name)));
        syncs.add(sync(new Scenario.Step(steps.getLast().line(), removal, List.of())));
        return syncs;
    }

    private Sync sync(Scenario.Step step) {
        Set<ServiceName> changed = new LinkedHashSet<>();
        boolean everything = false;
        for (Fact fact : step.facts()) {
            switch (fact) {
                case Fact.Node(var now) -> {
                    node = now;
                    everything = true;
                }
                case Fact.Configuration(var now) -> {
                    settings = now;
                    everything = true;
                }
                case Fact.ServiceIs(var service) -> {
                    services.put(service.name(), service);
                    changed.add(service.name());
                }
                case Fact.ServiceGone(var name) -> {
                    services.remove(name);
                    endpoints.keySet().removeIf(place -> place.service().equals(name));
                    changed.add(name);
                }
                case Fact.EndpointIs(var place, var entry) -> {
                    endpoints.put(place, entry);
                    changed.add(place.service());
                }
                case Fact.EndpointGone(var place) -> {
                    endpoints.remove(place);
                    changed.add(place.service());
                }
            }
        }
        SortedMap<Family, Sync.Transition> transitions = new TreeMap<>();
        for (Family family : Family.values()) {
            if (node.addresses().stream().anyMatch(address -> address.family() == family)) {
                transitions.put(family, transition(family, changed, everything));
            }
        }
        return new Sync(step.line(), cluster(), transitions, step.expectations());
    }

    private Cluster cluster() {
        List<ServiceState.Present> all = new ArrayList<>();
        for (Service service : services.values()) {
            all.add(new ServiceState.Present(service, slices(service)));
        }
        return new Cluster(node, settings, ordered(all));
    }

    private Sync.Transition transition(
            Family family, Collection<ServiceName> changed, boolean everything) {
        Planner planner =
                planners.computeIfAbsent(family, _ -> new Planner(family, node, settings));
        RuleGraph before = planner.graph();
        Delta delta =
                everything
                        ? planner.replan(node, settings, states(union(services.keySet(), changed)))
                        : plan(planner, before, states(changed));
        return new Sync.Transition(before, delta, planner.graph());
    }

    private Delta plan(Planner planner, RuleGraph before, List<ServiceState> states) {
        return switch (arrival) {
            case AS_WRITTEN, REVERSED -> planner.plan(states);
            case ONE_BY_ONE -> {
                states.forEach(state -> planner.plan(List.of(state)));
                yield Delta.between(before, planner.graph());
            }
        };
    }

    private static Set<ServiceName> union(Set<ServiceName> some, Collection<ServiceName> others) {
        Set<ServiceName> union = new LinkedHashSet<>(some);
        union.addAll(others);
        return union;
    }

    private List<ServiceState> states(Collection<ServiceName> names) {
        List<ServiceState> states = new ArrayList<>();
        for (ServiceName name : names) {
            Service service = services.get(name);
            states.add(
                    service == null
                            ? new ServiceState.Absent(name)
                            : new ServiceState.Present(service, slices(service)));
        }
        return ordered(states);
    }

    private List<EndpointSlice> slices(Service service) {
        SortedMap<SliceKey, List<EndpointSlice.Entry>> entries = new TreeMap<>();
        endpoints.forEach(
                (place, entry) -> {
                    if (place.service().equals(service.name())) {
                        entries.computeIfAbsent(key(place, service), _ -> new ArrayList<>())
                                .add(entry);
                    }
                });
        List<EndpointSlice> slices = new ArrayList<>();
        entries.forEach(
                (key, list) ->
                        slices.add(
                                new EndpointSlice(
                                        key.name(),
                                        service.name(),
                                        key.family(),
                                        List.of(
                                                new EndpointSlice.Port(
                                                        key.portName(),
                                                        key.protocol(),
                                                        key.port())),
                                        ordered(list))));
        return slices;
    }

    private static SliceKey key(EndpointPlace place, Service service) {
        Protocol protocol =
                service.ports().stream()
                        .filter(port -> port.name().equals(place.portName()))
                        .map(Service.Port::protocol)
                        .findFirst()
                        .orElse(Protocol.TCP);
        IpAddress address = place.address();
        return new SliceKey(
                place.slice(), address.family(), place.portName(), protocol, place.port());
    }

    private <T> List<T> ordered(List<T> list) {
        return switch (arrival) {
            case AS_WRITTEN, ONE_BY_ONE -> list;
            case REVERSED -> list.reversed();
        };
    }
}
