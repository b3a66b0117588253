/// The log of the daemon: lines for people, or JSON as the components of Kubernetes write it.
@NullMarked
package dev.pointsman.logging;

import org.jspecify.annotations.NullMarked;
