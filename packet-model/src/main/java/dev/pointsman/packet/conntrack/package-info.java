/// Connections of a node by the million, off the heap, and what a cluster has to say to them.
///
/// The only package that knows chronicle-map, which is loaded with the first [FlowTable] and so by
/// no command that has none.
@NullMarked
package dev.pointsman.packet.conntrack;

import org.jspecify.annotations.NullMarked;
