package dev.pointsman.perf.bench;

import dev.pointsman.perf.ClusterShape;
import java.util.Comparator;

/// What figures are compared within and curves are made of: a proxy in one of its modes under a
/// cluster of some size.
record Cell(String mode, ClusterShape shape, String proxy) implements Comparable<Cell> {
    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::mode)
                    .thenComparingInt(Cell::endpoints)
                    .thenComparingInt(cell -> cell.shape().services())
                    .thenComparing(Cell::proxy);

    /// Of all Services together.
    int endpoints() {
        return shape.services() * shape.endpoints();
    }

    /// Services and endpoints of each, as `--scale` takes it.
    String scale() {
        return shape.services() + "x" + shape.endpoints();
    }

    @Override
    public int compareTo(Cell other) {
        return ORDER.compare(this, other);
    }
}
