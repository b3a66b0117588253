/// `run` as a process of its own, on a node with traffic, and what befalls it: it is killed, its
/// rules are flushed, its machine runs out of things.
@NullMarked
package dev.pointsman.daemon;

import org.jspecify.annotations.NullMarked;
