/// The program: reads its configuration, builds everything by hand and starts it.
@NullMarked
package dev.pointsman;

import org.jspecify.annotations.NullMarked;
