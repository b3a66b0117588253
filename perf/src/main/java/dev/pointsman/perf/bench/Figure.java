package dev.pointsman.perf.bench;

/// What a run gave.
///
/// @param round counts from 1: the same cell is played once in each
record Figure(Metric metric, Cell cell, int round, Reading reading) {
    /// One number for it, in the metric's unit.
    double middle() {
        return reading.middle(metric.unit());
    }
}
