package dev.pointsman.netlink;

import java.util.concurrent.TimeUnit;

/// Waits for packets that are under way.
///
/// The kernel works on a packet under the read side of RCU, from the device to the socket or the
/// next device. An RCU grace period therefore outlasts every packet that has seen what an earlier
/// commit replaced; `membarrier(2)` waits for one.
public final class GracePeriod {
    /// `MEMBARRIER_CMD_GLOBAL` of `linux/membarrier.h`: `synchronize_rcu` in the kernel.
    private static final int GLOBAL = 1;

    /// Longer than any packet takes, where the kernel does not tell.
    private static final long UNTOLD_MILLIS = 50;

    private GracePeriod() {}

    /// Returns when every packet that the kernel was working on has left it; about 10 ms.
    public static void await() {
        if (LibC.CALLS.syscall(membarrier(), GLOBAL, 0, 0) == 0) {
            return;
        }
        // Not in this kernel, not allowed, or processors without timer ticks (EINVAL).
        try {
            TimeUnit.MILLISECONDS.sleep(UNTOLD_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// The number of the call: x86-64 has a table of its own, newer machines share one.
    private static long membarrier() {
        return System.getProperty("os.arch", "").equals("amd64") ? 324 : 283;
    }
}
