/// What the cluster says, reduced to what decides rules and kept per Service: the left end of the
/// line. Knows nothing of where it came from; `kube` fills it from an API server or from files.
@NullMarked
package dev.pointsman.store;

import org.jspecify.annotations.NullMarked;
