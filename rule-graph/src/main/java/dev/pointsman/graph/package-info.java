/// The rule graph.
@NullMarked
package dev.pointsman.graph;

import org.jspecify.annotations.NullMarked;
