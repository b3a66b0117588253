/// The scale harness: what it costs a proxy to follow a cluster, Pointsman's beside kube-proxy's,
/// as figures, curves and a page (`pointsman bench`).
///
/// [BenchCommand] makes a [Schedule] of a [Suite]; each of its runs plays one proxy process in a
/// [Town] of network namespaces against the API server in memory, and leaves [Figure]s in a file.
/// [Report] draws what is there; [Comparison] holds two such files against each other.
@NullMarked
package dev.pointsman.perf.bench;

import org.jspecify.annotations.NullMarked;
