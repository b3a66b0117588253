/// Tests that run under another kernel than this machine's, which need not have IPVS: a QEMU guest
/// of `tools/kernel-vm` whose root is this machine's own file system.
///
/// [GuestTest] is the entrance. The guest is started once for a run of a module's tests, by the
/// first of them that needs it.
@NullMarked
package dev.pointsman.guest;

import org.jspecify.annotations.NullMarked;
