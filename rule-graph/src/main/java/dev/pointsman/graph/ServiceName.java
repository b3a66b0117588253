package dev.pointsman.graph;

/// Namespace and name of a Service. Prints as `namespace/name`.
public record ServiceName(String namespace, String name) implements Comparable<ServiceName> {
    @Override
    public int compareTo(ServiceName other) {
        int order = namespace.compareTo(other.namespace);
        return order != 0 ? order : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
