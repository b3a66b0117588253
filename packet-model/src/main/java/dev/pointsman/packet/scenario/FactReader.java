package dev.pointsman.packet.scenario;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.Settings;
import dev.pointsman.graph.TrafficPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Collects the statements of one block.
final class FactReader {
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> PORT_KEYS = Set.of("cluster", "nodeport");
    private static final Set<String> SERVICE_KEYS =
            Set.of(
                    "cluster",
                    "nodeport",
                    "external",
                    "lb",
                    "ranges",
                    "external-policy",
                    "internal-policy",
                    "affinity",
                    "healthcheck",
                    "type",
                    "created");

    private final List<Fact> facts = new ArrayList<>();
    private final Map<ServiceName, Service> services = new LinkedHashMap<>();

    /// The facts read since the last call.
    List<Fact> take() {
        List<Fact> taken = new ArrayList<>(facts);
        services.values().forEach(service -> taken.add(new Fact.ServiceIs(service)));
        facts.clear();
        services.clear();
        return taken;
    }

    void read(String keyword, Words words) {
        switch (keyword) {
            case "node" -> facts.add(node(words));
            case "settings" -> facts.add(settings(words));
            case "service" -> service(words);
            case "endpoint" -> facts.add(endpoint(words));
            case "remove" -> {
                facts.add(new Fact.ServiceGone(words.service()));
                words.end();
            }
            case "remove-endpoint" -> {
                Words.PortOf owner = words.portOf();
                Words.Target at = words.target(words.next("ADDRESS:PORT"));
                facts.add(
                        new Fact.EndpointGone(
                                place(owner, at, words.options(Set.of("slice"), Set.of()))));
            }
            default ->
                    throw words.wrong(
                            "node, settings, service, endpoint, remove, remove-endpoint, flow,"
                                    + " health, then or empty",
                            keyword);
        }
    }

    private static Fact node(Words words) {
        String name = words.next("the node's name");
        List<IpAddress> addresses = words.addresses(words.next("the node's addresses"));
        Map<String, String> options = words.options(Set.of("zone", "pods"), Set.of());
        return new Fact.Node(
                new NodeView(
                        name,
                        options.getOrDefault("zone", ""),
                        addresses,
                        ranges(words, options, "pods")));
    }

    private static Fact settings(Words words) {
        Map<String, String> options =
                words.options(
                        Set.of(
                                "cluster-range",
                                "detect",
                                "service-range",
                                "node-ports",
                                "masquerade-bit",
                                "guard",
                                "external-ips"),
                        Set.of("masquerade-all"));
        return new Fact.Configuration(
                new Settings(
                        detection(words, options),
                        words.number(options.getOrDefault("masquerade-bit", "14"), 0, 31),
                        options.containsKey("masquerade-all")
                                ? Settings.MasqueradeScope.ALL
                                : Settings.MasqueradeScope.NOT_FROM_PODS,
                        words.items(
                                options.getOrDefault("node-ports", "primary"),
                                item -> nodePorts(words, item)),
                        only(words, options, "guard", "off")
                                ? Settings.ClusterIpGuard.OFF
                                : Settings.ClusterIpGuard.ON,
                        only(words, options, "external-ips", "ignored")
                                ? Settings.ExternalIps.IGNORED
                                : Settings.ExternalIps.ALLOWED,
                        ranges(words, options, "service-range"),
                        IpvsSettings.DEFAULTS));
    }

    private static Settings.DetectLocal detection(Words words, Map<String, String> options) {
        String how = options.getOrDefault("detect", "");
        if (!how.isEmpty() && options.containsKey("cluster-range")) {
            throw words.wrong("either cluster-range or detect", "both");
        }
        if (how.startsWith("bridge:")) {
            return new Settings.DetectLocal.BridgeInterface(how.substring("bridge:".length()));
        }
        if (how.startsWith("prefix:")) {
            return new Settings.DetectLocal.InterfacePrefix(how.substring("prefix:".length()));
        }
        return switch (how) {
            case "node" -> new Settings.DetectLocal.NodeRanges();
            case "", "none" ->
                    new Settings.DetectLocal.ClusterRanges(ranges(words, options, "cluster-range"));
            default -> throw words.wrong("detect=none|node|bridge:NAME|prefix:LETTERS", how);
        };
    }

    private static Settings.NodePortRange nodePorts(Words words, String item) {
        return switch (item) {
            case "primary" -> new Settings.NodePortRange.Primary();
            case "all" -> new Settings.NodePortRange.All();
            case "localhost" -> new Settings.NodePortRange.Localhost();
            default -> new Settings.NodePortRange.Range(words.parsed(item, Cidr::parse));
        };
    }

    private void service(Words words) {
        Words.PortOf named = words.portOf();
        Protocol protocol = words.protocol();
        Service earlier = services.get(named.service());
        Map<String, String> options =
                words.options(earlier == null ? SERVICE_KEYS : PORT_KEYS, Set.of());
        List<Words.Target> cluster =
                words.targets(
                        options.computeIfAbsent(
                                "cluster", _ -> words.next("cluster=ADDRESS:PORT")));
        if (cluster.stream().mapToInt(Words.Target::port).distinct().count() != 1) {
            throw words.wrong("one port number in cluster=", cluster.toString());
        }
        Service.Port port =
                new Service.Port(
                        named.port(),
                        protocol,
                        cluster.getFirst().port(),
                        number(words, options, "nodeport", 65535));
        List<IpAddress> addresses = cluster.stream().map(Words.Target::address).toList();
        services.put(
                named.service(),
                earlier == null
                        ? first(words, named.service(), addresses, port, options)
                        : another(words, earlier, addresses, port));
    }

    private static Service first(
            Words words,
            ServiceName name,
            List<IpAddress> cluster,
            Service.Port port,
            Map<String, String> options) {
        List<IpAddress> loadBalancer = addresses(words, options, "lb");
        int affinity = number(words, options, "affinity", 86400);
        return new Service(
                name,
                options.containsKey("created")
                        ? words.parsed(options.getOrDefault("created", ""), Instant::parse)
                        : LONG_AGO,
                type(words, options, loadBalancer, port),
                new Service.Addresses(cluster, addresses(words, options, "external"), loadBalancer),
                ranges(words, options, "ranges"),
                policy(words, options, "internal-policy"),
                policy(words, options, "external-policy"),
                affinity == 0 ? new Affinity.None() : new Affinity.ClientIp(affinity),
                number(words, options, "healthcheck", 65535),
                List.of(port),
                "");
    }

    private static Service another(
            Words words, Service service, List<IpAddress> cluster, Service.Port port) {
        if (!service.addresses().cluster().equals(cluster)) {
            throw words.wrong(
                    "the Service's cluster addresses " + service.addresses().cluster(),
                    cluster.toString());
        }
        List<Service.Port> ports = new ArrayList<>(service.ports());
        ports.add(port);
        return new Service(
                service.name(),
                service.created(),
                service.type() == Service.Type.CLUSTER_IP && port.nodePort() != 0
                        ? Service.Type.NODE_PORT
                        : service.type(),
                service.addresses(),
                service.sourceRanges(),
                service.internalPolicy(),
                service.externalPolicy(),
                service.affinity(),
                service.healthCheckNodePort(),
                ports,
                service.scheduler());
    }

    private static Service.Type type(
            Words words,
            Map<String, String> options,
            List<IpAddress> loadBalancer,
            Service.Port port) {
        String type = options.getOrDefault("type", "");
        return switch (type) {
            case "ClusterIP" -> Service.Type.CLUSTER_IP;
            case "NodePort" -> Service.Type.NODE_PORT;
            case "LoadBalancer" -> Service.Type.LOAD_BALANCER;
            case "" ->
                    !loadBalancer.isEmpty()
                            ? Service.Type.LOAD_BALANCER
                            : port.nodePort() != 0
                                    ? Service.Type.NODE_PORT
                                    : Service.Type.CLUSTER_IP;
            default -> throw words.wrong("type=ClusterIP|NodePort|LoadBalancer", type);
        };
    }

    private static Fact endpoint(Words words) {
        Words.PortOf owner = words.portOf();
        Words.Target at = words.target(words.next("ADDRESS:PORT"));
        Map<String, String> options =
                words.options(
                        Set.of("on", "zones", "nodes", "slice"),
                        Set.of("ready", "not-ready", "serving", "terminating"));
        return new Fact.EndpointIs(
                place(owner, at, options),
                new EndpointSlice.Entry(
                        at.address(),
                        options.getOrDefault("on", ""),
                        conditions(words, options),
                        new EndpointSlice.Hints(
                                names(words, options, "zones"), names(words, options, "nodes"))));
    }

    private static EndpointSlice.Conditions conditions(Words words, Map<String, String> options) {
        boolean ready = options.containsKey("ready");
        boolean notReady = options.containsKey("not-ready");
        boolean serving = options.containsKey("serving");
        boolean terminating = options.containsKey("terminating");
        if (ready && notReady) {
            throw words.wrong("either ready or not-ready", "both");
        }
        if (!ready && !notReady && !serving && !terminating) {
            return EndpointSlice.Conditions.READY;
        }
        return new EndpointSlice.Conditions(ready, serving || ready, terminating);
    }

    private static EndpointPlace place(
            Words.PortOf owner, Words.Target at, Map<String, String> options) {
        return new EndpointPlace(
                owner.service(),
                owner.port(),
                options.getOrDefault("slice", "main"),
                at.address(),
                at.port());
    }

    private static boolean only(
            Words words, Map<String, String> options, String key, String value) {
        String found = options.get(key);
        if (found != null && !found.equals(value)) {
            throw words.wrong(key + "=" + value, key + "=" + found);
        }
        return found != null;
    }

    private static TrafficPolicy policy(Words words, Map<String, String> options, String key) {
        String policy = options.getOrDefault(key, "Cluster");
        return switch (policy) {
            case "Cluster" -> TrafficPolicy.CLUSTER;
            case "Local" -> TrafficPolicy.LOCAL;
            default -> throw words.wrong(key + "=Cluster|Local", policy);
        };
    }

    private static int number(Words words, Map<String, String> options, String key, int most) {
        String number = options.get(key);
        return number == null ? 0 : words.number(number, 1, most);
    }

    private static List<Cidr> ranges(Words words, Map<String, String> options, String key) {
        String list = options.get(key);
        return list == null ? List.of() : words.ranges(list);
    }

    private static List<IpAddress> addresses(Words words, Map<String, String> options, String key) {
        String list = options.get(key);
        return list == null ? List.of() : words.addresses(list);
    }

    private static SortedSet<String> names(Words words, Map<String, String> options, String key) {
        String list = options.get(key);
        return list == null ? new TreeSet<>() : new TreeSet<>(words.items(list, name -> name));
    }
}
