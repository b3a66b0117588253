/// Service rules through `iptables-restore`: kube-proxy's chain names and meanings in a structure
/// that loads fast and that a packet passes in tens of comparisons (docs/backends/iptables.md).
///
/// ```
/// RuleGraph, Delta ─▶ Compiler ─▶ Contents ─▶ Difference ─▶ Restore ─▶ iptables-restore
///                     NodePart      ▲                          │
///                     PortPart      SavedRules ◀── iptables-save (repair)
///                     FrontendPart
///                     Dispatch
/// ```
///
/// [Compiler] says which chains a graph has: fixed ones ([NodePart]), those of a ServicePort
/// ([PortPart]), and trees of blocks that lead to them ([Dispatch], [FrontendPart]). [Difference]
/// compares two such contents, or one with what the kernel holds. [IptablesDataplane] is the only
/// caller of the programs.
@NullMarked
package dev.pointsman.iptables;

import org.jspecify.annotations.NullMarked;
