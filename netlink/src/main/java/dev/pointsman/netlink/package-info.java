/// Netlink sockets and codecs: the only package that knows file descriptors, errno and jnr-ffi.
@NullMarked
package dev.pointsman.netlink;

import org.jspecify.annotations.NullMarked;
