package dev.pointsman;

import dev.pointsman.kube.Snapshot;
import dev.pointsman.kube.SnapshotReader;
import dev.pointsman.store.ClusterEvent;
import dev.pointsman.store.Finding;
import dev.pointsman.store.Relist;
import dev.pointsman.sync.SyncLoop;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/// A cluster from files that change: each complete reading is turned into what became different.
///
/// A reading with a gap is not used, not even the first: half a file would take the rules of the
/// other half away, those that an earlier process left in the kernel too.
final class SnapshotFeed {
    private final List<String> files;
    private final InputStream in;
    private final SyncLoop loop;
    private final LogAndEvents messages;
    private List<ClusterEvent> held = List.of();

    /// What was wrong with the last reading, if it was not used.
    private Optional<List<Finding>> said = Optional.empty();

    SnapshotFeed(List<String> files, InputStream in, SyncLoop loop, LogAndEvents messages) {
        this.files = files;
        this.in = in;
        this.loop = loop;
        this.messages = messages;
    }

    /// The first reading, which must hold the Node `node` if it is complete. Returns why it is not
    /// used, if so.
    synchronized Optional<String> start(String node) {
        Snapshot snapshot = read();
        Optional<String> gap = snapshot.gap();
        if (gap.isEmpty()) {
            switch (snapshot.node(node)) {
                case Snapshot.NodeLookup.Found _ -> replace(snapshot);
                case Snapshot.NodeLookup.Unknown(var message) -> throw Complaint.ofInput(message);
            }
        }
        return gap;
    }

    /// A later reading, from any thread. Gives whether it is used.
    synchronized boolean reread() {
        Snapshot snapshot = SnapshotReader.read(files, in);
        Optional<String> gap = snapshot.gap();
        Optional<List<Finding>> trouble = gap.map(_ -> snapshot.findings());
        // Files that cannot be used are read again every two seconds.
        if (trouble.isEmpty() || !trouble.equals(said)) {
            snapshot.findings().forEach(messages::say);
            gap.ifPresentOrElse(this::refuse, () -> replace(snapshot));
        }
        said = trouble;
        return gap.isEmpty();
    }

    /// Says that nothing comes of the last reading.
    void refuse(String gap) {
        messages.say(
                "the files are not used as they are: "
                        + gap
                        + "; nothing is written and what the kernel holds stays until they are"
                        + " complete");
    }

    private Snapshot read() {
        Snapshot snapshot = SnapshotReader.read(files, in);
        snapshot.findings().forEach(messages::say);
        return snapshot;
    }

    private void replace(Snapshot snapshot) {
        List<ClusterEvent> before = held;
        held = snapshot.events();
        loop.take(Relist.between(before, held));
        loop.listed();
    }
}
