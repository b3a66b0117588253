package dev.pointsman.perf.api;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Objects of a small cluster.
public final class Shop {
    private Shop() {}

    /// A Service in namespace `shop`.
    ///
    /// @param spec such as `"type": "ClusterIP"`, besides the ports
    /// @param labels besides one that all have
    public static ObjectNode service(String name, String spec, String... labels) {
        ObjectNode service =
                object(
                        """
                        {"apiVersion": "v1", "kind": "Service",
                         "metadata": {"namespace": "shop", "name": "%1$s", "labels": {"app": "%1$s"}},
                         "spec": {%2$s, "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": 8080}]}}
                        """
                                .formatted(name, spec));
        for (String label : labels) {
            String[] parts = label.split("=", 2);
            service.withObject("/metadata/labels").put(parts[0], parts[1]);
        }
        return service;
    }

    /// A Service with an address of its own, 10.96.7.7.
    public static ObjectNode web(String... labels) {
        return service("web", "\"clusterIP\": \"10.96.7.7\"", labels);
    }

    /// A slice of Service `service` with one ready pod.
    public static ObjectNode slice(String service, String address) {
        return object(
                """
                {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
                 "metadata": {"namespace": "shop", "name": "%1$s-1",
                              "labels": {"kubernetes.io/service-name": "%1$s"}},
                 "addressType": "IPv4", "ports": [{"name": "http", "protocol": "TCP", "port": 8080}],
                 "endpoints": [{"addresses": ["%2$s"], "nodeName": "worker-1",
                                "conditions": {"ready": true, "serving": true, "terminating": false}}]}
                """
                        .formatted(service, address));
    }

    /// A Node.
    public static ObjectNode node(String name, String zone) {
        return object(
                """
                {"apiVersion": "v1", "kind": "Node",
                 "metadata": {"name": "%s", "labels": {"topology.kubernetes.io/zone": "%s"}},
                 "spec": {"podCIDR": "10.128.0.0/24", "podCIDRs": ["10.128.0.0/24"]},
                 "status": {"addresses": [{"type": "InternalIP", "address": "192.0.2.10"}]}}
                """
                        .formatted(name, zone));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) JsonMapper.shared().readTree(json);
    }
}
