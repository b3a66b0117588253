package dev.pointsman;

import dev.pointsman.dataplane.Leftovers;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a clean-up did, or would do.
record CleanupReport(List<Fate> fates) {
    CleanupReport {
        fates = List.copyOf(fates);
    }

    /// What became of one find.
    sealed interface Fate {
        /// It was removed, or would be.
        record Gone(Leftovers.Found found) implements Fate {}

        /// It is kube-proxy's, and nobody asked to remove that.
        ///
        /// @param objects how many of them --kube-proxy would remove
        record Kept(int objects) implements Fate {}

        /// It may have been to go, but may be other people's as well.
        record Remaining(Leftovers.Staying staying) implements Fate {}

        record Failed(String why) implements Fate {}
    }

    private <T extends Fate> List<T> all(Class<T> kind) {
        return fates.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// What was removed, or would be.
    List<Leftovers.Found> gone() {
        return all(Fate.Gone.class).stream().map(Fate.Gone::found).toList();
    }

    private int size() {
        return gone().stream().mapToInt(found -> found.objects().size()).sum();
    }

    /// One line for each.
    List<String> failures() {
        return all(Fate.Failed.class).stream().map(Fate.Failed::why).toList();
    }

    /// What is left that the operator may not expect, one line for each.
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        int kept = all(Fate.Kept.class).stream().mapToInt(Fate.Kept::objects).sum();
        if (kept > 0) {
            remarks.add(
                    (gone().isEmpty() && failures().isEmpty() ? "nothing of Pointsman's; " : "")
                            + "kube-proxy's rules are there (objects: "
                            + kept
                            + "): --kube-proxy removes them");
        }
        remarks.addAll(remaining());
        return remarks;
    }

    /// What may have been to go and stays, one line for each.
    List<String> remaining() {
        return all(Fate.Remaining.class).stream()
                .map(each -> each.staying().objects() + " stay: " + each.staying().remedy())
                .toList();
    }

    void print(boolean dryRun, PrintWriter out) {
        for (Leftovers.Found found : gone()) {
            found.objects().forEach(object -> out.println(found.place() + " " + object));
        }
        out.println((dryRun ? "objects to remove: " : "objects removed: ") + size());
    }

    Json json(boolean dryRun) {
        List<Json> objects = new ArrayList<>();
        for (Leftovers.Found found : gone()) {
            found.objects().forEach(object -> objects.add(json(found, object)));
        }
        Map<String, Json> document = FileOptions.document("Cleanup");
        document.put("dryRun", new Json.Truth(dryRun));
        document.put("objects", new Json.Array(objects));
        document.put("count", new Json.Count(size()));
        document.put("failures", Json.of(failures()));
        document.put("remarks", Json.of(remarks()));
        return new Json.Fields(document);
    }

    private static Json json(Leftovers.Found found, String object) {
        Map<String, Json> fields = new LinkedHashMap<>();
        fields.put("maker", new Json.Text(found.maker().word()));
        fields.put("place", new Json.Text(found.place()));
        fields.put("object", new Json.Text(object));
        return new Json.Fields(fields);
    }
}
