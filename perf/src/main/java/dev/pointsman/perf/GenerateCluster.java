package dev.pointsman.perf;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

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

    static void write(ClusterShape shape, OutputStream out) {
        JsonMapper mapper = JsonMapper.shared();
        try (JsonGenerator json = mapper.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("apiVersion", "v1");
            json.writeStringProperty("kind", "List");
            json.writeArrayPropertyStart("items");
            new ClusterObjects(shape).all().forEach(object -> mapper.writeTree(json, object));
            json.writeEndArray();
            json.writeEndObject();
        }
    }
}
