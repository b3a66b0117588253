package dev.pointsman.graph;

/// Which endpoints a Service's traffic may use: all of the cluster, or those of this node.
public enum TrafficPolicy {
    CLUSTER,
    LOCAL
}
