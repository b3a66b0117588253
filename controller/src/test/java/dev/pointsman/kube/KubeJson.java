package dev.pointsman.kube;

/// What an API server says, as text.
public final class KubeJson {
    private KubeJson() {}

    /// A list, or one page of it.
    ///
    /// @param next where the next page begins; empty for none
    public static String list(String version, String next, String... items) {
        return "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\""
                + version
                + "\",\"continue\":\""
                + next
                + "\"},\"items\":["
                + String.join(",", items)
                + "]}";
    }

    static String service(String name) {
        return """
               {"metadata":{"name":"%s","namespace":"shop","resourceVersion":"8"},\
               "spec":{"clusterIP":"10.96.10.1","ports":[{"port":80}]}}"""
                .formatted(name);
    }

    public static String change(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }

    public static String status(int code, String message) {
        return "{\"kind\":\"Status\",\"code\":" + code + ",\"message\":\"" + message + "\"}";
    }
}
