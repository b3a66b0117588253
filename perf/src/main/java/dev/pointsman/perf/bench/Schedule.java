package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.util.ArrayList;
import java.util.List;

/// The runs of a suite in their order: the proxies take turns, so that a slow minute of the machine
/// meets both.
record Schedule(List<Turn> turns) {
    /// @param round counts from 1
    record Turn(Cell cell, int round, Proxy proxy) {
        /// Name of the file that it leaves.
        String file() {
            return "%s-%s-%s-%d".formatted(cell.mode(), cell.scale(), cell.proxy(), round);
        }
    }

    Schedule {
        turns = List.copyOf(turns);
    }

    static Schedule of(Suite suite, List<String> modes, List<Proxy> proxies) {
        List<Turn> turns = new ArrayList<>();
        for (ClusterShape shape : suite.shapes()) {
            for (String mode : modes) {
                for (int round = 1; round <= suite.rounds(); round++) {
                    for (Proxy proxy : proxies) {
                        turns.add(new Turn(new Cell(mode, shape, proxy.name()), round, proxy));
                    }
                }
            }
        }
        return new Schedule(turns);
    }
}
