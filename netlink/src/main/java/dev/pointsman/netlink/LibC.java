package dev.pointsman.netlink;

import java.nio.ByteBuffer;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Platform;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.size_t;
import jnr.ffi.types.ssize_t;

/// The system calls of section 2 of the manual that this package uses. Each gives -1 on failure and
/// leaves the reason to [#errno()].
///
/// Buffers are direct, so that the kernel works on them in place, except for [#send(int, byte[],
/// long, int)].
///
/// The interface is public because the class that jnr-ffi generates for it lives in another class
/// loader.
public interface LibC {
    /// jnr-ffi implements the methods of this interface with native calls.
    LibC CALLS =
            LibraryLoader.create(LibC.class)
                    .load(Platform.getNativePlatform().getStandardCLibraryName());

    int socket(int domain, int type, int protocol);

    int bind(int descriptor, @In ByteBuffer address, int length);

    int setsockopt(int descriptor, int level, int option, @In ByteBuffer value, int length);

    @ssize_t
    long send(int descriptor, @In ByteBuffer buffer, @size_t long length, int flags);

    /// Sends from an array that jnr-ffi copies to native memory for the call.
    @ssize_t
    long send(int descriptor, @In byte[] buffer, @size_t long length, int flags);

    @ssize_t
    long recv(int descriptor, @Out ByteBuffer buffer, @size_t long length, int flags);

    int open(String path, int flags);

    int close(int descriptor);

    int setns(int descriptor, int type);

    /// A system call without a wrapper in older C libraries, here with three numbers as arguments.
    long syscall(long number, long first, long second, long third);

    /// Why the last call on this thread failed.
    static int errno() {
        return Runtime.getRuntime(CALLS).getLastError();
    }
}
