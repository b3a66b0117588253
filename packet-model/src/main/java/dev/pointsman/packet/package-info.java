/// What happens to a packet: flows, outcomes, the intent oracle over a rule graph, and scenarios.
@NullMarked
package dev.pointsman.packet;

import org.jspecify.annotations.NullMarked;
