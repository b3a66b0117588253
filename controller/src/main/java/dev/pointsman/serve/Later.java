package dev.pointsman.serve;

import java.time.Duration;

/// Does things later, on the thread of the ports.
interface Later {
    void after(Duration delay, Runnable task);
}
