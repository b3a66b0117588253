package dev.pointsman.perf.api;

import tools.jackson.databind.node.ObjectNode;

/// Something that is done to a cluster.
public sealed interface Write {
    record Create(ObjectNode object) implements Write {}

    record Replace(ObjectNode object) implements Write {}

    record Delete(ObjectName name) implements Write {}
}
