package dev.pointsman.perf.api;

import java.util.List;
import java.util.Map;

/// The parameters of a list or a watch, by the names that Kubernetes gives them.
record Query(Map<String, List<String>> parameters) {
    private static final List<String> NUMBERS =
            List.of("limit", "resourceVersion", "timeoutSeconds");

    Query {
        parameters = Map.copyOf(parameters);
    }

    /// Checks all that could be wrong with one.
    static Query of(Map<String, List<String>> parameters) throws Refusal {
        Query query = new Query(parameters);
        for (String number : NUMBERS) {
            if (!query.text(number).matches("\\d{0,18}")) {
                throw Refusal.badRequest(
                        number + ": Invalid value: \"" + query.text(number) + "\"");
            }
        }
        return query;
    }

    String labelSelector() {
        return text("labelSelector");
    }

    String fieldSelector() {
        return text("fieldSelector");
    }

    /// Whether a watch can begin anywhere, and so begins with what there is.
    boolean anyVersion() {
        return version() == 0;
    }

    /// 0 for any.
    long version() {
        return number("resourceVersion");
    }

    /// Whether a state of the past is asked for, and not just any that is not older.
    boolean exact() {
        String match = text("resourceVersionMatch");
        // A page of a version meant that before there was a word for it.
        return match.equals("Exact") || match.isEmpty() && limit() > 0 && !anyVersion();
    }

    /// How many items a page has at most; 0 for all.
    int limit() {
        // kube-apiserver, too, gives everything to who takes any version.
        return text("resourceVersion").equals("0")
                ? 0
                : Math.clamp(number("limit"), 0, Integer.MAX_VALUE);
    }

    /// Where the page before ended; empty for the first.
    String from() {
        return text("continue");
    }

    boolean watch() {
        return flag("watch");
    }

    boolean bookmarks() {
        return flag("allowWatchBookmarks");
    }

    /// Whether a watch begins with all objects and says when it has told them.
    boolean initialEvents() {
        return flag("sendInitialEvents");
    }

    /// 0 for as long as there is a connection.
    long timeoutSeconds() {
        return number("timeoutSeconds");
    }

    private boolean flag(String name) {
        return text(name).matches("true|1");
    }

    private long number(String name) {
        String text = text(name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    private String text(String name) {
        return parameters.getOrDefault(name, List.of("")).getLast();
    }
}
