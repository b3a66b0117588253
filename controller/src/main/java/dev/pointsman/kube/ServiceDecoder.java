package dev.pointsman.kube;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.Family;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.IpvsSettings;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.TrafficPolicy;
import dev.pointsman.store.ClusterEvent.ServiceGone;
import dev.pointsman.store.ClusterEvent.ServiceSeen;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads Services as kube-proxy does (behaviour document 1.2).
final class ServiceDecoder {
    private static final int DAY = 86_400;
    private static final int DEFAULT_AFFINITY = 10_800;

    /// Names the IPVS scheduler of a Service; other modes ignore it.
    static final String SCHEDULER = "pointsman.dev/ipvs-scheduler";

    private record PortName(String name, Protocol protocol) {}

    private record PortNumber(int number, Protocol protocol) {}

    private ServiceDecoder() {}

    /// @throws Malformed when the Service cannot be served
    static Decoded decode(ObjectName object, Field root, Report report) {
        ServiceName name = new ServiceName(object.namespace(), object.name());
        Decoded gone = new Decoded.Gone(new ServiceGone(name));
        Field spec = root.get("spec");
        if (Labels.hide(root) || spec.get("type").text().equals("ExternalName")) {
            return gone;
        }
        Field clusterIp = spec.get("clusterIP");
        if (clusterIp.text().equals("None")) {
            return gone;
        }
        if (clusterIp.text().isEmpty()) {
            report.warning(clusterIp, "is empty", "the Service gets no rules");
            return gone;
        }
        List<IpAddress> cluster = clusterAddresses(spec);
        if (cluster.isEmpty()) {
            report.warning(
                    spec.get("clusterIPs"),
                    "has no address for any of spec.ipFamilies",
                    "the Service gets no rules");
            return gone;
        }
        Service.Addresses addresses =
                new Service.Addresses(
                        cluster,
                        AddressReader.addresses(spec.get("externalIPs").items(), report),
                        loadBalancerAddresses(root, report));
        return new Decoded.Seen(new ServiceSeen(service(name, root, addresses, report)));
    }

    private static Service service(
            ServiceName name, Field root, Service.Addresses addresses, Report report) {
        Field spec = root.get("spec");
        Service.Type type = type(spec.get("type"));
        TrafficPolicy external = policy(spec.get("externalTrafficPolicy"), report);
        Field healthCheck = spec.get("healthCheckNodePort");
        int healthCheckPort = healthCheck.number(0, 65535, 0);
        if (type == Service.Type.LOAD_BALANCER
                && external == TrafficPolicy.LOCAL
                && healthCheckPort == 0) {
            report.warning(
                    healthCheck,
                    "is missing although externalTrafficPolicy is Local",
                    "load balancers cannot ask this node whether it has endpoints");
        }
        return new Service(
                name,
                created(root, report),
                type,
                addresses,
                sourceRanges(spec.get("loadBalancerSourceRanges"), report),
                policy(spec.get("internalTrafficPolicy"), report),
                external,
                affinity(spec),
                healthCheckPort,
                ports(spec.get("ports"), report),
                scheduler(root.get("metadata").get("annotations").get(SCHEDULER), report));
    }

    private static String scheduler(Field annotation, Report report) {
        if (annotation.text().isEmpty()) {
            return "";
        }
        try {
            return IpvsSettings.schedulerName(annotation.text());
        } catch (IllegalArgumentException _) {
            // Its message has the whole name in it, line breaks and all.
            report.warning(
                    annotation,
                    Quote.of(annotation.text()) + " is no name of an IPVS scheduler",
                    "mode ipvs balances the Service with the node's own scheduler");
            return "";
        }
    }

    /// Without `ipFamilies`, which only very old objects lack, the one cluster IP; else the address
    /// at the place of each family.
    private static List<IpAddress> clusterAddresses(Field spec) {
        List<Field> families = spec.get("ipFamilies").items();
        if (families.isEmpty()) {
            return List.of(spec.get("clusterIP").parsed(IpAddress::parse));
        }
        List<Field> addresses = spec.get("clusterIPs").items();
        Map<Family, IpAddress> found = new EnumMap<>(Family.class);
        for (int i = 0; i < families.size() && i < addresses.size(); i++) {
            Family family = family(families.get(i));
            IpAddress address = addresses.get(i).parsed(IpAddress::parse);
            if (address.family() != family) {
                throw addresses
                        .get(i)
                        .malformed(
                                Quote.of(address.toString())
                                        + " is no "
                                        + family.title()
                                        + " address, which spec.ipFamilies["
                                        + i
                                        + "] says it is");
            }
            found.putIfAbsent(family, address);
        }
        return List.copyOf(found.values());
    }

    private static Family family(Field field) {
        return switch (field.text()) {
            case "IPv4" -> Family.IPV4;
            case "IPv6" -> Family.IPV6;
            default -> throw field.malformed(Quote.of(field.text()) + " is no address family");
        };
    }

    private static List<IpAddress> loadBalancerAddresses(Field root, Report report) {
        List<Field> virtual = new ArrayList<>();
        for (Field entry : root.get("status").get("loadBalancer").get("ingress").items()) {
            Field mode = entry.get("ipMode");
            switch (mode.text()) {
                case "", "VIP" -> virtual.add(entry.get("ip"));
                case "Proxy" -> {} // The load balancer wants to see these packets.
                default ->
                        report.warning(
                                mode,
                                Quote.of(mode.text()) + " is neither VIP nor Proxy",
                                "the address gets no rules");
            }
        }
        return AddressReader.addresses(virtual, report);
    }

    private static List<Cidr> sourceRanges(Field field, Report report) {
        List<Cidr> ranges = AddressReader.ranges(field.items(), report);
        if (ranges.isEmpty() && !field.items().isEmpty()) {
            report.error(
                    field.path().spelt(),
                    "holds no valid range",
                    "the load balancer address is open to everyone, as with kube-proxy");
        }
        return ranges;
    }

    private static Service.Type type(Field field) {
        return switch (field.text()) {
            case "", "ClusterIP" -> Service.Type.CLUSTER_IP;
            case "NodePort" -> Service.Type.NODE_PORT;
            case "LoadBalancer" -> Service.Type.LOAD_BALANCER;
            default -> throw field.malformed(Quote.of(field.text()) + " is no type of Service");
        };
    }

    private static TrafficPolicy policy(Field field, Report report) {
        return switch (field.text()) {
            case "", "Cluster" -> TrafficPolicy.CLUSTER;
            case "Local" -> TrafficPolicy.LOCAL;
            default -> {
                report.warning(
                        field,
                        Quote.of(field.text()) + " is neither Cluster nor Local",
                        "it counts as Cluster");
                yield TrafficPolicy.CLUSTER;
            }
        };
    }

    private static Affinity affinity(Field spec) {
        Field affinity = spec.get("sessionAffinity");
        return switch (affinity.text()) {
            case "", "None" -> new Affinity.None();
            case "ClientIP" ->
                    new Affinity.ClientIp(
                            spec.get("sessionAffinityConfig")
                                    .get("clientIP")
                                    .get("timeoutSeconds")
                                    .number(1, DAY, DEFAULT_AFFINITY));
            default ->
                    throw affinity.malformed(
                            Quote.of(affinity.text()) + " is neither None nor ClientIP");
        };
    }

    private static Instant created(Field root, Report report) {
        Field created = root.get("metadata").get("creationTimestamp");
        if (created.text().isEmpty()) {
            return Instant.MAX;
        }
        try {
            return Instant.parse(created.text());
        } catch (DateTimeParseException _) {
            report.warning(
                    created,
                    Quote.of(created.text()) + " is no time",
                    "the Service gives way to all others that claim one of its addresses");
            return Instant.MAX;
        }
    }

    private static List<Service.Port> ports(Field list, Report report) {
        List<Service.Port> ports = new ArrayList<>();
        Set<PortName> names = new HashSet<>();
        Set<PortNumber> numbers = new HashSet<>();
        for (Field entry : list.items()) {
            Service.Port port = port(entry);
            if (!names.add(new PortName(port.name(), port.protocol()))) {
                throw entry.get("name")
                        .malformed(
                                Quote.of(port.name())
                                        + " is the name of another "
                                        + port.protocol()
                                        + " port too");
            }
            if (!numbers.add(new PortNumber(port.port(), port.protocol()))) {
                throw entry.get("port")
                        .malformed(
                                port.port()
                                        + " is the number of another "
                                        + port.protocol()
                                        + " port too");
            }
            ports.add(port);
        }
        if (ports.isEmpty()) {
            report.warning(list, "has no items", "nothing of the Service can be reached");
        }
        return ports;
    }

    private static Service.Port port(Field entry) {
        Field number = entry.get("port");
        if (!number.present()) {
            throw number.malformed("is missing");
        }
        return new Service.Port(
                ObjectName.port(entry.get("name")),
                protocol(entry.get("protocol")),
                number.number(1, 65535, 0),
                entry.get("nodePort").number(0, 65535, 0));
    }

    /// Names are as the API has them, in capitals; TCP when absent.
    static Protocol protocol(Field field) {
        return switch (field.text()) {
            case "", "TCP" -> Protocol.TCP;
            case "UDP" -> Protocol.UDP;
            case "SCTP" -> Protocol.SCTP;
            default ->
                    throw field.malformed(Quote.of(field.text()) + " is none of TCP, UDP and SCTP");
        };
    }
}
