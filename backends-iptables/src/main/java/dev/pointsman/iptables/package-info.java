/// Will hold the iptables dataplane: a pure renderer to `iptables-restore` input with the chain
/// names that kube-proxy users look for, and the driver that is the only caller of
/// `iptables-restore`.
@NullMarked
package dev.pointsman.iptables;

import org.jspecify.annotations.NullMarked;
