/// Scenarios played with real packets: a node, its pods and everything beyond, each a network
/// namespace of this machine. Needs root, `ip` and `nft`.
///
/// [KernelScenarios] is the entrance. A backend's own test is:
///
/// ```
/// @KernelTest
/// void the_kernel_does_what_every_scenario_says() {
///     KernelScenarios.playAll(Scenarios.all(), new NftablesMode()::dataplane);
/// }
/// ```
///
/// Left to the oracle: SCTP flows, as the JDK has SCTP sockets only where libsctp is installed and
/// the kernel has them; health checks, which no packet rule answers; the time-outs of affinity.
@NullMarked
package dev.pointsman.packet.kernel;

import org.jspecify.annotations.NullMarked;
