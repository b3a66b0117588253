package dev.pointsman.peers;

import dev.pointsman.graph.Affinity;
import dev.pointsman.graph.Cidr;
import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.NodeView;
import dev.pointsman.graph.Service;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServiceState;
import dev.pointsman.graph.TrafficPolicy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LoadBalancerIngress;
import io.fabric8.kubernetes.api.model.LoadBalancerIngressBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeAddressBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.ServiceSpecBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.ForNode;
import io.fabric8.kubernetes.api.model.discovery.v1.ForZone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Values of a scenario as the API server takes them: the way back of what the decoders of `kube`
/// do.
final class KubeObjects {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String OWNER = "kubernetes.io/service-name";

    private KubeObjects() {}

    static HasMetadata namespace(String name) {
        return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
    }

    static HasMetadata of(NodeView node) {
        List<NodeAddress> addresses =
                node.addresses().stream()
                        .map(
                                address ->
                                        new NodeAddressBuilder()
                                                .withType("InternalIP")
                                                .withAddress(address.toString())
                                                .build())
                        .toList();
        List<String> ranges = node.podRanges().stream().map(Cidr::toString).toList();
        return new NodeBuilder()
                .withNewMetadata()
                .withName(node.name())
                .withLabels(node.zone().isEmpty() ? Map.of() : Map.of(ZONE, node.zone()))
                .endMetadata()
                .withNewSpec()
                .withPodCIDR(ranges.isEmpty() ? null : ranges.getFirst())
                .withPodCIDRs(ranges)
                .endSpec()
                .withNewStatus()
                .withAddresses(addresses)
                .endStatus()
                .build();
    }

    /// A Service and its slices.
    static List<HasMetadata> of(ServiceState.Present state) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.add(of(state.service()));
        state.slices().forEach(slice -> objects.add(of(slice)));
        return objects;
    }

    private static HasMetadata of(Service service) {
        ServiceName name = service.name();
        List<String> cluster = texts(service.addresses().cluster());
        var spec =
                new ServiceSpecBuilder()
                        .withClusterIP(cluster.getFirst())
                        .withClusterIPs(cluster)
                        .withIpFamilies(
                                service.addresses().cluster().stream()
                                        .map(address -> address.family().title())
                                        .toList())
                        .withIpFamilyPolicy(
                                cluster.size() == 1 ? "SingleStack" : "RequireDualStack")
                        .withExternalIPs(texts(service.addresses().external()))
                        .withPorts(service.ports().stream().map(KubeObjects::port).toList())
                        .withInternalTrafficPolicy(policy(service.internalPolicy()));
        switch (service.type()) {
            case CLUSTER_IP -> spec.withType("ClusterIP");
            case NODE_PORT -> spec.withType("NodePort");
            case LOAD_BALANCER ->
                    spec.withType("LoadBalancer")
                            .withAllocateLoadBalancerNodePorts(false)
                            .withLoadBalancerSourceRanges(
                                    service.sourceRanges().stream().map(Cidr::toString).toList());
        }
        if (service.type() != Service.Type.CLUSTER_IP || !spec.getExternalIPs().isEmpty()) {
            spec.withExternalTrafficPolicy(policy(service.externalPolicy()));
        }
        if (service.healthCheckNodePort() != 0
                && service.type() == Service.Type.LOAD_BALANCER
                && service.externalPolicy() == TrafficPolicy.LOCAL) {
            spec.withHealthCheckNodePort(service.healthCheckNodePort());
        }
        if (service.affinity() instanceof Affinity.ClientIp(int seconds)) {
            spec.withSessionAffinity("ClientIP")
                    .withNewSessionAffinityConfig()
                    .withNewClientIP(seconds)
                    .endSessionAffinityConfig();
        }
        List<LoadBalancerIngress> ingress =
                texts(service.addresses().loadBalancer()).stream()
                        .map(ip -> new LoadBalancerIngressBuilder().withIp(ip).build())
                        .toList();
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(name.namespace())
                .withName(name.name())
                .endMetadata()
                .withSpec(spec.build())
                .withNewStatus()
                .withNewLoadBalancer()
                .withIngress(ingress)
                .endLoadBalancer()
                .endStatus()
                .build();
    }

    private static ServicePort port(Service.Port port) {
        return new ServicePortBuilder()
                .withName(port.name())
                .withProtocol(port.protocol().name())
                .withPort(port.port())
                // Not read by proxies; the server would fill it in.
                .withTargetPort(new IntOrString(port.port()))
                .withNodePort(port.nodePort() == 0 ? null : port.nodePort())
                .build();
    }

    private static HasMetadata of(EndpointSlice slice) {
        List<EndpointPort> ports =
                slice.ports().stream()
                        .map(
                                port ->
                                        new EndpointPortBuilder()
                                                .withName(port.name())
                                                .withProtocol(port.protocol().name())
                                                .withPort(port.port())
                                                .build())
                        .toList();
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace(slice.service().namespace())
                .withName((slice.service().name() + "." + slice.name()).toLowerCase(Locale.ROOT))
                .withLabels(Map.of(OWNER, slice.service().name()))
                .endMetadata()
                .withAddressType(slice.family().title())
                .withPorts(ports)
                .withEndpoints(slice.entries().stream().map(KubeObjects::endpoint).toList())
                .build();
    }

    private static Endpoint endpoint(EndpointSlice.Entry entry) {
        var endpoint =
                new EndpointBuilder()
                        .withAddresses(entry.address().toString())
                        .withNodeName(entry.node().isEmpty() ? null : entry.node())
                        .withNewConditions()
                        .withReady(entry.conditions().ready())
                        .withServing(entry.conditions().serving())
                        .withTerminating(entry.conditions().terminating())
                        .endConditions();
        EndpointSlice.Hints hints = entry.hints();
        return hints.equals(EndpointSlice.Hints.NONE)
                ? endpoint.build()
                : endpoint.withNewHints()
                        .withForZones(hints.zones().stream().map(ForZone::new).toList())
                        .withForNodes(hints.nodes().stream().map(ForNode::new).toList())
                        .endHints()
                        .build();
    }

    private static List<String> texts(List<IpAddress> addresses) {
        return addresses.stream().map(IpAddress::toString).toList();
    }

    private static String policy(TrafficPolicy policy) {
        return switch (policy) {
            case CLUSTER -> "Cluster";
            case LOCAL -> "Local";
        };
    }
}
