package dev.pointsman.perf;

import dev.pointsman.graph.EndpointSlice;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Writes a generated cluster to standard output in the form of `kubectl get
/// nodes,services,endpointslices,servicecidrs -A -o json`.
final class GenerateCluster {
    private GenerateCluster() {}

    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            System.err.println("usage: perf/run generate SERVICES ENDPOINTS_EACH >snapshot.json");
            System.exit(2);
        }
        ClusterShape shape =
                new ClusterShape(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        write(shape, new BufferedOutputStream(System.out, 1 << 16));
    }

    /// Writes one item at a time: the size of the cluster does not matter for memory.
    static void write(ClusterShape shape, OutputStream out) {
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("apiVersion", "v1");
            json.writeStringProperty("kind", "List");
            json.writeArrayPropertyStart("items");
            for (int index = 0; index < shape.nodes(); index++) {
                node(json, shape, index);
            }
            serviceCidr(json, shape);
            for (int index = 0; index < shape.services(); index++) {
                service(json, shape, index);
                for (EndpointSlice slice : shape.slices(index, shape.slots())) {
                    slice(json, slice);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void node(JsonGenerator json, ClusterShape shape, int index) {
        begin(json, "v1", "Node");
        json.writeStringProperty("name", shape.nodeName(index));
        json.writeObjectPropertyStart("labels");
        json.writeStringProperty("topology.kubernetes.io/zone", "zone-" + index % 3);
        json.writeEndObject();
        json.writeEndObject();
        json.writeObjectPropertyStart("spec");
        json.writeArrayPropertyStart("podCIDRs");
        json.writeString("10.128." + index + ".0/24");
        json.writeEndArray();
        json.writeEndObject();
        json.writeObjectPropertyStart("status");
        json.writeArrayPropertyStart("addresses");
        json.writeStartObject();
        json.writeStringProperty("type", "InternalIP");
        json.writeStringProperty("address", "192.0.2." + (10 + index));
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void serviceCidr(JsonGenerator json, ClusterShape shape) {
        begin(json, "networking.k8s.io/v1", "ServiceCIDR");
        json.writeStringProperty("name", "kubernetes");
        json.writeEndObject();
        json.writeObjectPropertyStart("spec");
        json.writeArrayPropertyStart("cidrs");
        json.writeString(shape.serviceRange().toString());
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void service(JsonGenerator json, ClusterShape shape, int index) {
        begin(json, "v1", "Service");
        json.writeStringProperty("namespace", shape.name(index).namespace());
        json.writeStringProperty("name", shape.name(index).name());
        json.writeStringProperty("creationTimestamp", shape.service(index).created().toString());
        json.writeEndObject();
        json.writeObjectPropertyStart("spec");
        json.writeStringProperty("type", "ClusterIP");
        json.writeStringProperty("clusterIP", shape.clusterIp(index).toString());
        json.writeArrayPropertyStart("clusterIPs");
        json.writeString(shape.clusterIp(index).toString());
        json.writeEndArray();
        json.writeArrayPropertyStart("ipFamilies");
        json.writeString("IPv4");
        json.writeEndArray();
        json.writeStringProperty("sessionAffinity", "None");
        json.writeArrayPropertyStart("ports");
        json.writeStartObject();
        json.writeStringProperty("name", "http");
        json.writeStringProperty("protocol", "TCP");
        json.writeNumberProperty("port", 80);
        json.writeNumberProperty("targetPort", 8080);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void slice(JsonGenerator json, EndpointSlice slice) {
        begin(json, "discovery.k8s.io/v1", "EndpointSlice");
        json.writeStringProperty("namespace", slice.service().namespace());
        json.writeStringProperty("name", slice.name());
        json.writeObjectPropertyStart("labels");
        json.writeStringProperty("kubernetes.io/service-name", slice.service().name());
        json.writeEndObject();
        json.writeEndObject();
        json.writeStringProperty("addressType", slice.family().title());
        json.writeArrayPropertyStart("ports");
        for (EndpointSlice.Port port : slice.ports()) {
            json.writeStartObject();
            json.writeStringProperty("name", port.name());
            json.writeStringProperty("protocol", port.protocol().name());
            json.writeNumberProperty("port", port.port());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("endpoints");
        for (EndpointSlice.Entry entry : slice.entries()) {
            json.writeStartObject();
            json.writeArrayPropertyStart("addresses");
            json.writeString(entry.address().toString());
            json.writeEndArray();
            json.writeObjectPropertyStart("conditions");
            json.writeBooleanProperty("ready", entry.conditions().ready());
            json.writeBooleanProperty("serving", entry.conditions().serving());
            json.writeBooleanProperty("terminating", entry.conditions().terminating());
            json.writeEndObject();
            json.writeStringProperty("nodeName", entry.node());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /// Opens an object and its metadata.
    private static void begin(JsonGenerator json, String apiVersion, String kind) {
        json.writeStartObject();
        json.writeStringProperty("apiVersion", apiVersion);
        json.writeStringProperty("kind", kind);
        json.writeObjectPropertyStart("metadata");
    }
}
