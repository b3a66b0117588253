/// A real kube-proxy in the place of ours: fed by a real API server with the objects of a scenario,
/// it programs the scenario's node.
///
/// What it does otherwise than the oracle says, and what [dev.pointsman.packet.verify.Verifier]
/// finds in its rules, must be listed in `kube-proxy-differences.txt` ([KnownDifferences]).
@NullMarked
package dev.pointsman.peers;

import org.jspecify.annotations.NullMarked;
