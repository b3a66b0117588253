package dev.pointsman.netlink;

import java.io.Serial;

/// The failure of a conversation with the kernel that no caller can repair.
///
/// The message says what was tried, what the kernel answered and, where there is something to do,
/// what the operator can do.
public final class NetlinkException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NetlinkException(String message) {
        super(message);
    }

    NetlinkException(String message, Throwable cause) {
        super(message, cause);
    }

    /// A call or request that the kernel answered with an error number.
    static NetlinkException refused(String tried, int errno, String kernelText) {
        return new NetlinkException(describe(tried, errno, kernelText));
    }

    /// What was tried, what the kernel answered and what the operator can do.
    static String describe(String tried, int errno, String kernelText) {
        var message = new StringBuilder(tried).append(": ").append(Errno.describe(errno));
        if (!kernelText.isEmpty()) {
            message.append(", kernel says \"").append(kernelText).append('"');
        }
        String remedy = Errno.remedy(errno);
        if (!remedy.isEmpty()) {
            message.append("; ").append(remedy);
        }
        return message.toString();
    }
}
