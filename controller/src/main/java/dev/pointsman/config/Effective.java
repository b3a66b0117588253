package dev.pointsman.config;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Every field of a configuration with the value that counts, given or not.
///
/// @param values by paths such as `iptables.syncPeriod`
/// @param differing those that were given and are not what they are by default
/// @param modeOrigin who named the mode
public record Effective(
        SortedMap<String, Value> values, SortedSet<String> differing, String modeOrigin) {
    public Effective {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        differing = Collections.unmodifiableSortedSet(new TreeSet<>(differing));
    }

    /// The whole configuration, as a file has it.
    public Value.Section whole() {
        return document(values);
    }

    /// The values that differ: the shortest file that says the same, to kube-proxy as well.
    public Value.Section differences() {
        SortedMap<String, Value> given = new TreeMap<>(values);
        given.keySet().retainAll(differing);
        return document(given);
    }

    /// What `field` holds, as Go prints it for the flag that sets it; empty where it holds nothing.
    public String printed(String field) {
        Value found = whole();
        for (String name : field.split("\\.", -1)) {
            found =
                    found instanceof Value.Section(var members)
                            ? members.getOrDefault(name, new Value.Text(""))
                            : new Value.Text("");
        }
        return found.printed();
    }

    /// Fields that hold something else in `other`.
    public SortedSet<String> changedIn(Effective other) {
        SortedSet<String> changed = new TreeSet<>(values.keySet());
        changed.addAll(other.values.keySet());
        changed.removeIf(field -> Objects.equals(values.get(field), other.values.get(field)));
        return changed;
    }

    private static Value.Section document(SortedMap<String, Value> fields) {
        SortedMap<String, Value> document = new TreeMap<>(fields);
        document.put("apiVersion", new Value.Text(ConfigReader.API_VERSION));
        document.put("kind", new Value.Text(ConfigReader.KIND));
        return Value.tree(document);
    }
}
