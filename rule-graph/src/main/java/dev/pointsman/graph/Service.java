package dev.pointsman.graph;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A Service reduced to what decides its rules, valid by construction; both families together.
///
/// Headless and `ExternalName` Services and those of another proxy never become one.
///
/// @param created decides which of two Services keeps a Frontend that both claim; [Instant#MAX]
///   when the object does not say
/// @param scheduler the IPVS scheduler that the Service asks for; empty for the node's
public record Service(
        ServiceName name,
        Instant created,
        Type type,
        Addresses addresses,
        List<Cidr> sourceRanges,
        TrafficPolicy internalPolicy,
        TrafficPolicy externalPolicy,
        Affinity affinity,
        int healthCheckNodePort,
        List<Port> ports,
        String scheduler) {

    /// The types that get rules. The type matters only for health-check node ports and for whether
    /// an external policy applies.
    public enum Type {
        CLUSTER_IP,
        NODE_PORT,
        LOAD_BALANCER
    }

    /// The addresses of a Service, of either family.
    ///
    /// @param cluster at most one of each family
    /// @param loadBalancer those whose `ipMode` is VIP
    public record Addresses(
            List<IpAddress> cluster, List<IpAddress> external, List<IpAddress> loadBalancer) {
        public Addresses {
            cluster = List.copyOf(cluster);
            external = List.copyOf(external);
            loadBalancer = List.copyOf(loadBalancer);
        }
    }

    /// One port. The number at the endpoints comes from the slices, never from here.
    ///
    /// @param name empty when the port has none
    /// @param nodePort 0 when the port has none
    public record Port(String name, Protocol protocol, int port, int nodePort) {
        public Port {
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("port " + port + " is not within 1..65535");
            }
            if (nodePort < 0 || nodePort > 65535) {
                throw new IllegalArgumentException(
                        "nodePort " + nodePort + " is not within 0..65535");
            }
        }
    }

    public Service {
        sourceRanges = List.copyOf(sourceRanges);
        ports = List.copyOf(ports);
        if (healthCheckNodePort < 0 || healthCheckNodePort > 65535) {
            throw new IllegalArgumentException(
                    "healthCheckNodePort " + healthCheckNodePort + " is not within 0..65535");
        }
    }

    /// The cluster address of `family`. Without one the Service does not exist for that family,
    /// with all its other addresses (behaviour document 1.2).
    Optional<IpAddress> clusterIp(Family family) {
        return addresses.cluster().stream().filter(a -> a.family() == family).findFirst();
    }

    /// Whether the external policy is Local for a type that has one: NodePort, LoadBalancer, and
    /// ClusterIP with an external IP.
    boolean externalPolicyLocal() {
        return externalPolicy == TrafficPolicy.LOCAL
                && (type != Type.CLUSTER_IP || !addresses.external().isEmpty());
    }
}
