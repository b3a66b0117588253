package dev.pointsman.kube;

import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Collects objects into a [Snapshot]. Of several objects with one name the last one counts.
final class SnapshotBuilder {
    /// Whoever has more needs another look at the file as a whole.
    private static final int MOST_FINDINGS = 10_000;

    private record Key(Kind kind, String namespace, String name) {}

    private record Known(Decoded decoded, Origin origin) {}

    private final ObjectDecoder decoder = new ObjectDecoder();
    private final Map<Key, Known> objects = new LinkedHashMap<>();
    private final SortedMap<String, Integer> counts = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private int unlisted;

    void object(KubeObject object) {
        if (object.kind().isEmpty()) {
            new Report(object, this::finding).error("kind", "is missing", "the object is ignored");
            return;
        }
        if (isNoObject(object)) {
            return;
        }
        counts.merge(countedAs(object), 1, Integer::sum);
        Kind.of(object.apiVersion(), object.kind()).ifPresent(kind -> decode(kind, object));
    }

    /// What kubectl prints instead of objects, which then are missing.
    private boolean isNoObject(KubeObject object) {
        Tree message = object.fields().get("message");
        if (object.kind().equals("Status") && object.apiVersion().equals("v1")) {
            finding(
                    insteadOfObjects(
                            object,
                            "is what the API server answered instead of objects: "
                                    + Quote.of(message instanceof Tree.Text(var text) ? text : ""),
                            "nothing comes from it; print the objects again once kubectl may"));
            return true;
        }
        if (object.kind().equals("Table") && object.apiVersion().startsWith("meta.k8s.io/")) {
            finding(
                    insteadOfObjects(
                            object,
                            "is a table for people, without the objects themselves",
                            "nothing of it is used; print it again with -o yaml or -o json"));
            return true;
        }
        return false;
    }

    private static Finding insteadOfObjects(KubeObject object, String reason, String consequence) {
        return new Finding(
                Severity.ERROR, "snapshot", object.origin().toString(), "", reason, consequence);
    }

    void finding(Finding finding) {
        if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
        } else {
            unlisted++;
        }
    }

    /// How many objects there were so far, of any kind.
    int size() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    Snapshot build() {
        List<ClusterEvent> events = new ArrayList<>();
        List<Pod> pods = new ArrayList<>();
        for (Known known : objects.values()) {
            switch (known.decoded()) {
                case Decoded.Seen(var event) -> events.add(event);
                case Decoded.OfPod(var pod) -> pods.add(pod);
                case Decoded.Gone _, Decoded.Nothing _ -> {}
            }
        }
        if (unlisted > 0) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            "snapshot",
                            "",
                            "",
                            unlisted + " more things are wrong with it than are listed",
                            ""));
        }
        Snapshot snapshot = new Snapshot(events, pods, counts, findings);
        int services = snapshot.servicesWithoutSlices();
        if (services == 0) {
            return snapshot;
        }
        findings.add(withoutSlices(services));
        return new Snapshot(events, pods, counts, findings);
    }

    private void decode(Kind kind, KubeObject object) {
        Decoded decoded = decoder.decode(kind, object, this::finding);
        if (decoded instanceof Decoded.Nothing) {
            return;
        }
        Field metadata = Field.root(object.fields()).get("metadata");
        Key key =
                new Key(
                        kind,
                        kind.namespaced() ? metadata.get("namespace").text() : "",
                        metadata.get("name").text());
        Known before = objects.put(key, new Known(decoded, object.origin()));
        if (before != null && !before.decoded().equals(decoded)) {
            new Report(object, this::finding)
                    .add(
                            Severity.WARNING,
                            "",
                            "is another version of the object at " + before.origin(),
                            "this later one counts");
        }
    }

    /// As kubectl names kinds: those of the core API by name alone, others with their group.
    private static String countedAs(KubeObject object) {
        int slash = object.apiVersion().indexOf('/');
        boolean plain = slash < 0 || Kind.of(object.apiVersion(), object.kind()).isPresent();
        return Quote.plain(
                plain
                        ? object.kind()
                        : object.kind() + "." + object.apiVersion().substring(0, slash));
    }

    private Finding withoutSlices(int services) {
        int endpoints = counts.getOrDefault("Endpoints", 0);
        return new Finding(
                Severity.WARNING,
                "snapshot",
                "",
                "",
                "it holds "
                        + Quote.count(services, "Service")
                        + " and no EndpointSlice"
                        + (endpoints > 0
                                ? "; its "
                                        + Quote.count(endpoints, "Endpoints object")
                                        + " cannot stand in, no proxy reads that kind any more"
                                : ""),
                "every Service behaves as if it had no endpoints; take a full one with "
                        + Snapshot.FULL);
    }
}
