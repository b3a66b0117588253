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
        counts.merge(countedAs(object), 1, Integer::sum);
        Kind.of(object.apiVersion(), object.kind()).ifPresent(kind -> decode(kind, object));
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
        warnWithoutSlices(events);
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

    /// Without slices every Service would be refused, which is hardly what the cluster does.
    private void warnWithoutSlices(List<ClusterEvent> events) {
        long services = events.stream().filter(ClusterEvent.ServiceSeen.class::isInstance).count();
        if (services == 0 || counts.containsKey(Kind.ENDPOINT_SLICE.title())) {
            return;
        }
        int endpoints = counts.getOrDefault("Endpoints", 0);
        findings.add(
                new Finding(
                        Severity.WARNING,
                        "snapshot",
                        "",
                        "",
                        "it holds "
                                + services
                                + " Services and no EndpointSlice"
                                + (endpoints > 0
                                        ? " (its "
                                                + endpoints
                                                + " Endpoints objects are the older kind, which no"
                                                + " proxy reads any more)"
                                        : ""),
                        "every Service behaves as if it had no endpoints; take a full one with"
                                + " kubectl get svc,endpointslices,nodes,pods,servicecidrs -A -o"
                                + " yaml"));
    }
}
