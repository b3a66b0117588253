/// Benchmarks of the pure stages, the scale harness and the generator of large clusters.
@NullMarked
package dev.pointsman.perf;

import org.jspecify.annotations.NullMarked;
