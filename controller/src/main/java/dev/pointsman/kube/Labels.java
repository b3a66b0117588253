package dev.pointsman.kube;

/// The labels that decide whether and how an object counts.
final class Labels {
    static final String PROXY_NAME = "service.kubernetes.io/service-proxy-name";
    static final String HEADLESS = "service.kubernetes.io/headless";
    static final String SERVICE_NAME = "kubernetes.io/service-name";
    static final String ZONE = "topology.kubernetes.io/zone";

    private Labels() {}

    /// Whether a label hides the object from this proxy. Its value does not matter, nor whether it
    /// has one (behaviour document 1.1).
    static boolean hide(Field object) {
        return object.get("metadata").get("labels").value() instanceof Tree.Fields(var labels)
                && (labels.containsKey(PROXY_NAME) || labels.containsKey(HEADLESS));
    }

    /// Empty when the object does not have it.
    static String value(Field object, String label) {
        return object.get("metadata").get("labels").get(label).text();
    }
}
