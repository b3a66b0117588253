package dev.pointsman;

import dev.pointsman.kube.Snapshot;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Relist;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;

/// A cluster from files that change: each reading is turned into what became different.
final class SnapshotFeed {
    private final List<String> files;
    private final InputStream in;
    private final Consumer<List<ClusterEvent>> events;
    private final Consumer<Object> messages;
    private List<ClusterEvent> held = List.of();

    SnapshotFeed(
            List<String> files,
            InputStream in,
            Consumer<List<ClusterEvent>> events,
            Consumer<Object> messages) {
        this.files = files;
        this.in = in;
        this.events = events;
        this.messages = messages;
    }

    /// The first reading, which must hold the Node `node`.
    void start(String node) {
        Snapshot snapshot = SnapshotReader.read(files, in);
        snapshot.findings().forEach(messages);
        switch (snapshot.node(node)) {
            case Snapshot.NodeLookup.Found _ -> replace(snapshot);
            case Snapshot.NodeLookup.Unknown(var message) -> throw Complaint.ofInput(message);
        }
    }

    /// A later reading. One that is broken changes nothing: half a file would take the rules of the
    /// other half away.
    void reread() {
        Snapshot snapshot = SnapshotReader.read(files, in);
        snapshot.findings().forEach(messages);
        if (snapshot.counts().isEmpty()
                || snapshot.findings().stream().anyMatch(SnapshotFeed::isBroken)) {
            messages.accept(
                    "the files cannot be read as they are now; what they said before stays");
            return;
        }
        replace(snapshot);
    }

    private void replace(Snapshot snapshot) {
        List<ClusterEvent> before = held;
        held = snapshot.events();
        events.accept(Relist.between(before, held));
    }

    private static boolean isBroken(Finding finding) {
        return finding.severity() == Finding.Severity.ERROR && finding.object().equals("snapshot");
    }
}
