/// Readers of what tools print about a node's rules, into the form of
/// [dev.pointsman.packet.netfilter].
///
/// They are strict about syntax ([SyntaxException] tells line and column) and honest about meaning:
/// what they do not know becomes a step that no packet can pass without its path being marked
/// untrustworthy, never nothing. Where a tool prints commands, and for scripts of them
/// ([NodeScriptReader]), each is done after the one before.
@NullMarked
package dev.pointsman.packet.read;

import org.jspecify.annotations.NullMarked;
