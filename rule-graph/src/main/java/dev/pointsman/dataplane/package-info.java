/// The contract between the rule graph and a kernel: what every backend implements.
@NullMarked
package dev.pointsman.dataplane;

import org.jspecify.annotations.NullMarked;
