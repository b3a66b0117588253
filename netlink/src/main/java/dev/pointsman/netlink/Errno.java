package dev.pointsman.netlink;

/// Error numbers of Linux, as in `asm-generic/errno.h` (the same on x86-64 and arm64).
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EOPNOTSUPP = 95;
    static final int EADDRNOTAVAIL = 99;
    static final int ENOBUFS = 105;

    private Errno() {}

    /// Name and number, such as `EPERM (1)`.
    static String describe(int errno) {
        return name(errno) + " (" + errno + ")";
    }

    static String name(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case ESRCH -> "ESRCH";
            case EINTR -> "EINTR";
            case 5 -> "EIO";
            case 6 -> "ENXIO";
            case 7 -> "E2BIG";
            case 9 -> "EBADF";
            case EAGAIN -> "EAGAIN";
            case 12 -> "ENOMEM";
            case EACCES -> "EACCES";
            case 14 -> "EFAULT";
            case EBUSY -> "EBUSY";
            case EEXIST -> "EEXIST";
            case ENODEV -> "ENODEV";
            case 20 -> "ENOTDIR";
            case EINVAL -> "EINVAL";
            case 23 -> "ENFILE";
            case 24 -> "EMFILE";
            case 27 -> "EFBIG";
            case 28 -> "ENOSPC";
            case 31 -> "EMLINK";
            case 33 -> "EDOM";
            case 34 -> "ERANGE";
            case 36 -> "ENAMETOOLONG";
            case 38 -> "ENOSYS";
            case 40 -> "ELOOP";
            case 61 -> "ENODATA";
            case 75 -> "EOVERFLOW";
            case 85 -> "ERESTART";
            case 90 -> "EMSGSIZE";
            case 92 -> "ENOPROTOOPT";
            case 93 -> "EPROTONOSUPPORT";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case 97 -> "EAFNOSUPPORT";
            case 98 -> "EADDRINUSE";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
            case 100 -> "ENETDOWN";
            case ENOBUFS -> "ENOBUFS";
            case 110 -> "ETIMEDOUT";
            case 111 -> "ECONNREFUSED";
            default -> "errno";
        };
    }

    /// What the operator can do about an error, or the empty string when nothing general can be
    /// said.
    static String remedy(int errno) {
        return switch (errno) {
            case EPERM, EACCES -> "needs CAP_NET_ADMIN (CAP_SYS_ADMIN to enter a namespace)";
            case 90 -> "needs CAP_NET_ADMIN to send more at once than net.core.wmem_max allows";
            case 93 -> "the kernel lacks this netlink family: load or enable its module";
            case EOPNOTSUPP ->
                    "the kernel lacks a feature that this request uses: load its module or use a newer kernel";
            case 97 -> "the kernel lacks this address family";
            case 12, ENOBUFS ->
                    "the machine is short of memory, or the socket's buffer was too small for the answer";
            case 23, 24 -> "raise the limit of open files";
            case 38 -> "the kernel lacks this system call";
            default -> "";
        };
    }
}
