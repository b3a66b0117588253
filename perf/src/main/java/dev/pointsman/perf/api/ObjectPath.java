package dev.pointsman.perf.api;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a URL's path names: all objects of a kind, those of a namespace, or one of them.
///
/// @param namespace empty for all
/// @param name empty for all
record ObjectPath(Kind kind, String namespace, String name) {
    private static final Pattern FORM =
            Pattern.compile(
                    "/(?:api/(?=v1/)|apis/(?=[^/]+/v1/))(?<api>(?:[^/]+/)?v1)"
                            + "(?:/namespaces/(?<namespace>[^/]+))?/(?<plural>[a-z]+)(?:/(?<name>[^/]+))?");

    static Optional<ObjectPath> of(String path) {
        Matcher parts = FORM.matcher(path);
        return parts.matches()
                ? Kind.ofPath(parts.group("api"), parts.group("plural"))
                        .map(
                                kind ->
                                        new ObjectPath(
                                                kind,
                                                part(parts, "namespace"),
                                                part(parts, "name")))
                        .filter(ObjectPath::isOne)
                : Optional.empty();
    }

    private static String part(Matcher parts, String name) {
        return Objects.requireNonNullElse(parts.group(name), "");
    }

    /// Whether it names a namespace where objects of this kind have one, and only there.
    private boolean isOne() {
        return switch (kind.scope()) {
            case NAMESPACE -> name.isEmpty() || !namespace.isEmpty();
            case CLUSTER -> namespace.isEmpty();
        };
    }
}
