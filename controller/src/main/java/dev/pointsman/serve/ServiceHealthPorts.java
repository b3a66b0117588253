package dev.pointsman.serve;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.HealthCheck;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodePortAddresses;
import dev.pointsman.graph.NodeRules;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The health-check node ports of Services with external policy Local (behaviour document 6.2): by
/// them a load balancer learns which nodes have ready endpoints. Owned by the thread of the ports.
final class ServiceHealthPorts {
    /// The selector of the thread lets go of a closed port only when it selects again.
    private static final Duration LET_GO = Duration.ofMillis(10);

    private static final IpAddress ALL = IpAddress.parse("0.0.0.0");
    private static final IpAddress LOOPBACK = IpAddress.parse("127.0.0.1");

    /// Where a Service is to be asked after.
    private record Place(int port, SortedSet<IpAddress> addresses) {
        Place {
            addresses = Collections.unmodifiableSortedSet(addresses);
        }

        String title() {
            return "health-check node port " + port;
        }
    }

    private record Open(Place place, List<Listener> listeners) {
        void close() {
            listeners.forEach(Listener::close);
        }
    }

    private final HttpThread http;
    private final Later later;
    private final Health health;
    private final Supplier<SortedSet<IpAddress>> ownAddresses;
    private final Announcer announcer;

    private final Map<Family, RuleGraph> graphs = new EnumMap<>(Family.class);
    private final Map<ServiceName, Open> open = new HashMap<>();
    private SortedMap<ServiceName, Place> wanted = new TreeMap<>();

    // By Service, so that one that goes on is not said again.
    private final Map<ServiceName, String> failures = new HashMap<>();

    /// @param ownAddresses of this machine
    ServiceHealthPorts(
            HttpThread http,
            Later later,
            Health health,
            Supplier<SortedSet<IpAddress>> ownAddresses,
            Announcer announcer) {
        this.http = http;
        this.later = later;
        this.health = health;
        this.ownAddresses = ownAddresses;
        this.announcer = announcer;
    }

    /// The kernel holds `graph` now. Whatever port could not be opened before is tried again.
    void settled(RuleGraph graph) {
        graphs.put(graph.family(), graph);
        follow();
    }

    /// Goes to where node ports answer by now.
    void follow() {
        wanted = wanted();
        boolean closed =
                open.entrySet()
                        .removeIf(
                                entry -> {
                                    Open known = entry.getValue();
                                    if (known.place().equals(wanted.get(entry.getKey()))) {
                                        return false;
                                    }
                                    known.close();
                                    return true;
                                });
        failures.keySet().retainAll(wanted.keySet());
        if (closed) {
            later.after(LET_GO, this::openWanted);
        } else {
            openWanted();
        }
    }

    private void openWanted() {
        wanted.forEach(
                (service, place) -> {
                    if (!open.containsKey(service)) {
                        open(service, place);
                    }
                });
    }

    private void open(ServiceName service, Place place) {
        List<Listener> listeners = new ArrayList<>();
        try {
            for (IpAddress address : place.addresses()) {
                InetSocketAddress at = Addresses.socket(address, place.port());
                listeners.add(http.open(at, _ -> answer(service)));
            }
            open.put(service, new Open(place, List.copyOf(listeners)));
            if (failures.remove(service) != null) {
                announcer.say("Service " + service + ": " + place.title() + " is open now");
            }
        } catch (IOException | RuntimeException e) {
            listeners.forEach(Listener::close);
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(failures.put(service, reason))) {
                announcer.say(
                        Notice.ofService(
                                service,
                                Reason.HEALTH_CHECK_PORT_FAILED,
                                place.title()
                                        + " cannot be opened: "
                                        + reason
                                        + "; load balancers that ask there take this node for one"
                                        + " without endpoints; tried again at every sync"));
            }
        }
    }

    private Answer answer(ServiceName service) {
        int ready = localReady(service);
        boolean healthy = health.isHealthy();
        return Answer.json(
                        ready > 0 && healthy ? Answer.OK : Answer.UNAVAILABLE,
                        ("{\"service\":{\"namespace\":\"%s\",\"name\":\"%s\"},"
                                        + "\"localEndpoints\":%d,\"serviceProxyHealthy\":%s}")
                                .formatted(service.namespace(), service.name(), ready, healthy))
                .with("X-Load-Balancing-Endpoint-Weight", String.valueOf(ready));
    }

    /// A pod of a dual-stack Service is counted in both families.
    private int localReady(ServiceName service) {
        int most = 0;
        for (RuleGraph graph : graphs.values()) {
            HealthCheck check = graph.healthChecks().get(service);
            most = Math.max(most, check == null ? 0 : check.localReady());
        }
        return most;
    }

    private SortedMap<ServiceName, Place> wanted() {
        Map<ServiceName, Set<Family>> families = new HashMap<>();
        Map<ServiceName, Integer> ports = new HashMap<>();
        graphs.forEach(
                (family, graph) ->
                        graph.healthChecks()
                                .forEach(
                                        (service, check) -> {
                                            families.computeIfAbsent(service, _ -> new TreeSet<>())
                                                    .add(family);
                                            ports.put(service, check.port());
                                        }));
        Map<Set<Family>, SortedSet<IpAddress>> addresses = new HashMap<>();
        SortedMap<ServiceName, Place> places = new TreeMap<>();
        ports.forEach(
                (service, port) -> {
                    SortedSet<IpAddress> at =
                            addresses.computeIfAbsent(
                                    families.getOrDefault(service, Set.of()), this::addresses);
                    if (!at.isEmpty()) {
                        places.put(service, new Place(port, at));
                    }
                });
        return places;
    }

    /// Those that node ports answer on, in these families.
    private SortedSet<IpAddress> addresses(Set<Family> families) {
        // All addresses of one family are those of the other too, so that it has a say.
        if (graphs.keySet().stream()
                .allMatch(family -> nodePorts(family) instanceof NodePortAddresses.All)) {
            return new TreeSet<>(Set.of(ALL));
        }
        SortedSet<IpAddress> own = ownAddresses.get();
        SortedSet<IpAddress> addresses = new TreeSet<>();
        for (Family family : families) {
            NodePortAddresses within = nodePorts(family);
            for (IpAddress address : own) {
                if (address.family() == family && answers(within, address)) {
                    addresses.add(address);
                }
            }
            if (rules(family).loopback() == NodePortAddresses.Loopback.ANSWERS) {
                addresses.add(LOOPBACK);
            }
        }
        return addresses;
    }

    private static boolean answers(NodePortAddresses nodePorts, IpAddress address) {
        return switch (nodePorts) {
            case NodePortAddresses.All _ -> true;
            case NodePortAddresses.Within(var ranges) ->
                    ranges.stream().anyMatch(range -> range.contains(address));
        };
    }

    private NodePortAddresses nodePorts(Family family) {
        return rules(family).nodePorts();
    }

    private NodeRules.Programmed rules(Family family) {
        return switch (graphs.getOrDefault(family, RuleGraph.nothing(family)).node()) {
            case NodeRules.Programmed rules -> rules;
            case NodeRules.None _ ->
                    throw new IllegalStateException("a graph with a Service has rules");
        };
    }
}
