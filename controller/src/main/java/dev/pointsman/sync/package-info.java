/// The sync loop: one owner thread that takes events in and brings kernels up to date. The only
/// package with threads and locks.
@NullMarked
package dev.pointsman.sync;

import org.jspecify.annotations.NullMarked;
