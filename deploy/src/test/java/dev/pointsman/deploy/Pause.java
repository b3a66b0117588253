package dev.pointsman.deploy;

/// What a container runs that only keeps a network.
final class Pause {
    private Pause() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread.currentThread().join();
    }
}
