package dev.pointsman.sync;

/// Answers SIGTERM and SIGINT: asks the work to end, waits until it has, and exits with status 0.
/// While it is open; an exit that the program itself decided on is not touched.
public final class ExitSignal implements AutoCloseable {
    private final Thread hook;
    private final Object lock = new Object();
    private boolean ended;

    /// @param stop asks the work to end, from another thread
    public ExitSignal(Runnable stop) {
        hook = new Thread(() -> exit(stop), "exit-signal");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void exit(Runnable stop) {
        stop.run();
        synchronized (lock) {
            try {
                while (!ended) {
                    lock.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /// The work has ended.
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is already on its way out: the hook waits for us to say so.
            synchronized (lock) {
                ended = true;
                lock.notifyAll();
            }
        }
    }
}
