/// kube-proxy's own configuration file, read as it is found in the cluster's ConfigMap.
@NullMarked
package dev.pointsman.config;

import org.jspecify.annotations.NullMarked;
