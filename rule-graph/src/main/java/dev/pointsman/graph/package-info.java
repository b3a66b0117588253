/// The rule graph: what every packet for a Service address must meet on one node, decided once.
///
/// No I/O, threads, clock, randomness or logging; everything here is a value or a pure function,
/// but for [Planner], which one thread owns. The grammar, which the types transcribe:
///
/// ```
/// RuleGraph   = Family, NodeRules, SortedMap<Frontend, Treatment>, SortedMap<ServiceName, HealthCheck>
/// Frontend    = (IpAddress | every node-port address), Protocol, port                  unique
/// Treatment   = owner ServicePortName, Kind, allowed Sources, Affinity,
///               fromPod: Disposition, fromHost: Disposition, fromOutside: Disposition
/// Disposition = Balance(Pool, KEEP | MASQUERADE) | Reject | Drop
/// Pool        = owner ServicePortName, scope CLUSTER | LOCAL, Endpoints in slot order   shared by the
///                                                                    Frontends of one ServicePort
/// NodeRules   = None | Programmed(masquerade mark, LocalDetector, NodePortAddresses, Loopback, cluster IP
///                                 guard, service ranges, own pod ranges)
/// Delta       = NodeRules before and after, Frontends added, removed or replaced, health checks likewise
/// ```
///
/// The three dispositions of a [Treatment] are table 2.2 of the behaviour document: service type,
/// both traffic policies, the terminating fallback, topology and the short circuit all end there.
/// Two Services that claim one Frontend are decided here too, the same way on every node, so that
/// no backend repeats a policy.
///
/// Every balanced flow whose endpoint turns out to be its own sender is masqueraded (hairpin); that
/// is not written in the dispositions, since it depends on the endpoint picked.
@NullMarked
package dev.pointsman.graph;

import org.jspecify.annotations.NullMarked;
