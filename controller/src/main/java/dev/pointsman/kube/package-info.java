/// Kubernetes objects, read from an API server or from files and reduced to [dev.pointsman.store]
/// events. The only package that sees fabric8 types and resource versions.
@NullMarked
package dev.pointsman.kube;

import org.jspecify.annotations.NullMarked;
