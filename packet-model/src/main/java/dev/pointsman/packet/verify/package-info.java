/// Intent against rules: what one flow meets ([Tracer], [Diagnosis]) and whether all do
/// ([Verifier]).
///
/// The oracle knows no rules and the tracer knows no intent; only [Verifier] and [Diagnosis] see
/// both.
@NullMarked
package dev.pointsman.packet.verify;

import org.jspecify.annotations.NullMarked;
