package dev.pointsman.store;

import dev.pointsman.graph.Family;
import dev.pointsman.graph.ServiceName;
import java.time.Instant;

/// When what a changed slice shows came about, by its own word. Decides no rule: it is there to be
/// measured against.
///
/// @param service of the slice
/// @param family of the slice
public record Trigger(ServiceName service, Family family, Instant at) {}
