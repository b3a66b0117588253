/// What the node's connection tracking is asked for: that stale UDP flows go, and that its limits
/// and timeouts are those of the configuration. Nothing here decides which flows are stale.
@NullMarked
package dev.pointsman.conntrack;

import org.jspecify.annotations.NullMarked;
