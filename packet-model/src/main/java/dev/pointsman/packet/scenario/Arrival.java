package dev.pointsman.packet.scenario;

/// The order in which a scenario's objects reach the planner. What comes of it must not depend on
/// that.
public enum Arrival {
    AS_WRITTEN,
    /// The last Service first, and the endpoints of each slice likewise.
    REVERSED,
    /// Each Service in a plan of its own.
    ONE_BY_ONE
}
