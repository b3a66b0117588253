package dev.pointsman.kube;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// Objects of one kind that are listed and watched.
///
/// @param path of all of them
/// @param labels label selector; empty for all
/// @param fields field selector; empty for all
record Resource(Kind kind, String path, String labels, String fields) {
    private static final int PAGE = 500;
    private static final String OURS = "!" + Labels.PROXY_NAME + ",!" + Labels.HEADLESS;

    static Resource services() {
        return new Resource(Kind.SERVICE, "/api/v1/services", OURS, "spec.clusterIP!=None");
    }

    static Resource endpointSlices() {
        return new Resource(
                Kind.ENDPOINT_SLICE, "/apis/discovery.k8s.io/v1/endpointslices", OURS, "");
    }

    static Resource node(String name) {
        return new Resource(Kind.NODE, "/api/v1/nodes", "", "metadata.name=" + name);
    }

    static Resource serviceCidrs() {
        return new Resource(Kind.SERVICE_CIDR, "/apis/networking.k8s.io/v1/servicecidrs", "", "");
    }

    /// As the API calls them, such as `services`.
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    Resource withoutFields() {
        return new Resource(kind, path, labels, "");
    }

    /// A page of the list, from the place that the page before named; empty for the first.
    String page(String from) {
        return path
                + "?limit="
                + PAGE
                + selectors()
                + (from.isEmpty() ? "" : "&continue=" + encoded(from));
    }

    /// The list in one piece.
    String whole() {
        return path + "?limit=0" + selectors();
    }

    /// Everything after `version`, for at most `seconds`.
    String watch(String version, int seconds) {
        return path
                + "?watch=true&allowWatchBookmarks=true&resourceVersion="
                + encoded(version)
                + "&timeoutSeconds="
                + seconds
                + selectors();
    }

    /// A list of the one object of this name, which needs no right that the whole list does not.
    String one(String namespace, String name) {
        int last = path.lastIndexOf('/');
        return path.substring(0, last)
                + "/namespaces/"
                + namespace
                + path.substring(last)
                + "?limit=1&fieldSelector="
                + encoded("metadata.name=" + name);
    }

    private String selectors() {
        return (labels.isEmpty() ? "" : "&labelSelector=" + encoded(labels))
                + (fields.isEmpty() ? "" : "&fieldSelector=" + encoded(fields));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
