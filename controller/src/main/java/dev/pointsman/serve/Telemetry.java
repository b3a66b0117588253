package dev.pointsman.serve;

import dev.pointsman.sync.SyncNote;
import dev.pointsman.sync.SyncReport;
import java.util.function.Consumer;

/// Takes what the loop tells to whom it concerns. Called on the loop's thread, which it does not
/// hold up.
final class Telemetry implements Consumer<SyncNote> {
    private final Health health;
    private final Metrics metrics;
    private final Graphs graphs;
    private final Journal journal;
    private final Consumer<SyncNote.Settled> ports;

    /// @param ports opens and closes ports of Services, elsewhere
    Telemetry(
            Health health,
            Metrics metrics,
            Graphs graphs,
            Journal journal,
            Consumer<SyncNote.Settled> ports) {
        this.health = health;
        this.metrics = metrics;
        this.graphs = graphs;
        this.journal = journal;
        this.ports = ports;
    }

    /// Takes what operators are told.
    void reported(SyncReport report) {
        metrics.count(report);
        if (report instanceof SyncReport.Failed(var family, var kind, _, _)
                && kind == SyncReport.Failed.Kind.UNAVAILABLE) {
            health.unreachable(family);
        }
    }

    @Override
    public void accept(SyncNote note) {
        switch (note) {
            case SyncNote.Arrived(var event) -> metrics.arrived(event);
            case SyncNote.NothingWaits _ -> metrics.nothingWaits();
            case SyncNote.OwnNode(var outlook) -> health.node(outlook);
            case SyncNote.Queued(var family, long since) -> {
                health.queued(family, since);
                metrics.queued(family, health.now());
            }
            case SyncNote.Answered answered -> {
                journal.add(health.now(), answered);
                metrics.answered(answered);
            }
            case SyncNote.Settled settled -> {
                health.settled(settled.family());
                graphs.settled(settled.graph());
                metrics.settled(settled, health.now());
                ports.accept(settled);
            }
            case SyncNote.Programmed(var family, var triggers) ->
                    metrics.programmed(family, triggers, health.now());
            case SyncNote.Ran ran -> metrics.ran(ran);
        }
    }
}
