package dev.pointsman.kube;

import java.util.List;
import java.util.Map;

/// One value of a Kubernetes object, without the fields nobody reads. Lives only until the object
/// is decoded.
sealed interface Tree {
    /// Not there, or `null`: the Kubernetes API makes no difference.
    record Absent() implements Tree {}

    record Text(String value) implements Tree {}

    /// As it was written; whether it fits is for the reader of the field to say.
    record Digits(String value) implements Tree {}

    record Flag(boolean value) implements Tree {}

    // Neither is copied: there is one for every endpoint, and nothing outlives the decoding.
    record Items(List<Tree> values) implements Tree {}

    record Fields(Map<String, Tree> values) implements Tree {
        Tree get(String name) {
            return values.getOrDefault(name, ABSENT);
        }
    }

    Tree ABSENT = new Absent();
    Fields EMPTY = new Fields(Map.of());
}
