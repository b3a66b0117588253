package dev.pointsman.perf.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which objects of a kind a request is about.
record Selection(List<Requirement> labels, List<Requirement> fields) {
    Selection {
        labels = List.copyOf(labels);
        fields = List.copyOf(fields);
    }

    /// What `path` and the selectors of `query` agree on.
    static Selection of(ObjectPath path, Query query) throws Refusal {
        List<Requirement> fields = new ArrayList<>(Requirement.all(query.fieldSelector()));
        for (Requirement field : fields) {
            if (!path.kind().fields().contains(field.key())) {
                throw Refusal.badRequest(
                        "field label not supported: "
                                + field.key()
                                + ", in "
                                + path.kind().title());
            }
        }
        require(fields, "metadata.namespace", path.namespace());
        require(fields, "metadata.name", path.name());
        return new Selection(Requirement.all(query.labelSelector()), fields);
    }

    private static void require(List<Requirement> fields, String field, String value) {
        if (!value.isEmpty()) {
            fields.add(new Requirement(field, Requirement.Relation.IN, Set.of(value)));
        }
    }

    boolean has(StoredObject object) {
        return labels.stream().allMatch(label -> label.holds(object.labels()))
                && fields.stream().allMatch(field -> field.holds(object.fields()));
    }

    /// The object called `key`, if there is one and it is selected.
    Optional<StoredObject> of(Map<String, StoredObject> objects, String key) {
        return Optional.ofNullable(objects.get(key)).filter(this::has);
    }
}
