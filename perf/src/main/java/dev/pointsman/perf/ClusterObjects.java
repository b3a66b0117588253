package dev.pointsman.perf;

import dev.pointsman.graph.EndpointSlice;
import dev.pointsman.graph.ServiceName;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The objects of a generated cluster, as `kubectl get -o json` prints them.
public record ClusterObjects(ClusterShape shape) {
    /// Nodes, the ServiceCIDR, and every Service with its slices. Made one at a time: the size of
    /// the cluster does not matter for memory.
    public Stream<ObjectNode> all() {
        return Stream.of(
                        IntStream.range(0, shape.nodes()).mapToObj(this::node),
                        Stream.of(serviceCidr()),
                        IntStream.range(0, shape.services())
                                .boxed()
                                .flatMap(
                                        index ->
                                                Stream.concat(
                                                        Stream.of(service(index)),
                                                        slices(index, shape.slots()).stream())))
                .flatMap(objects -> objects);
    }

    private ObjectNode node(int index) {
        ObjectNode node = object("v1", "Node");
        ObjectNode metadata = node.putObject("metadata").put("name", shape.nodeName(index));
        metadata.putObject("labels").put("topology.kubernetes.io/zone", "zone-" + index % 3);
        node.putObject("spec").putArray("podCIDRs").add("10.128." + index + ".0/24");
        node.putObject("status")
                .putArray("addresses")
                .addObject()
                .put("type", "InternalIP")
                .put("address", "192.0.2." + (10 + index));
        return node;
    }

    private ObjectNode serviceCidr() {
        ObjectNode range = object("networking.k8s.io/v1", "ServiceCIDR");
        range.putObject("metadata").put("name", "kubernetes");
        range.putObject("spec").putArray("cidrs").add(shape.serviceRange().toString());
        return range;
    }

    /// Service `index`.
    public ObjectNode service(int index) {
        ObjectNode service = object("v1", "Service");
        metadata(service, shape.name(index).namespace(), shape.name(index).name())
                .put("creationTimestamp", shape.service(index).created().toString());
        ObjectNode spec = service.putObject("spec");
        spec.put("type", "ClusterIP");
        spec.put("clusterIP", shape.clusterIp(index).toString());
        spec.putArray("clusterIPs").add(shape.clusterIp(index).toString());
        spec.putArray("ipFamilies").add("IPv4");
        spec.put("sessionAffinity", "None");
        spec.putArray("ports")
                .addObject()
                .put("name", "http")
                .put("protocol", "TCP")
                .put("port", 80)
                .put("targetPort", 8080);
        return service;
    }

    /// The slices of Service `index`, with the pods of `slots` as endpoints.
    public List<ObjectNode> slices(int index, List<Integer> slots) {
        return shape.slices(index, slots).stream().map(ClusterObjects::slice).toList();
    }

    private static ObjectNode slice(EndpointSlice slice) {
        ServiceName service = slice.service();
        ObjectNode object = object("discovery.k8s.io/v1", "EndpointSlice");
        metadata(object, service.namespace(), slice.name())
                .putObject("labels")
                .put("kubernetes.io/service-name", service.name());
        object.put("addressType", slice.family().title());
        ArrayNode ports = object.putArray("ports");
        for (EndpointSlice.Port port : slice.ports()) {
            ports.addObject()
                    .put("name", port.name())
                    .put("protocol", port.protocol().name())
                    .put("port", port.port());
        }
        ArrayNode endpoints = object.putArray("endpoints");
        for (EndpointSlice.Entry entry : slice.entries()) {
            ObjectNode endpoint = endpoints.addObject();
            endpoint.putArray("addresses").add(entry.address().toString());
            endpoint.putObject("conditions")
                    .put("ready", entry.conditions().ready())
                    .put("serving", entry.conditions().serving())
                    .put("terminating", entry.conditions().terminating());
            endpoint.put("nodeName", entry.node());
        }
        return object;
    }

    private static ObjectNode object(String apiVersion, String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", apiVersion)
                .put("kind", kind);
    }

    private static ObjectNode metadata(ObjectNode object, String namespace, String name) {
        return object.putObject("metadata").put("namespace", namespace).put("name", name);
    }
}
