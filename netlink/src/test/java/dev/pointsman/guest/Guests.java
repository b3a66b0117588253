package dev.pointsman.guest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/// The guests of a run of tests, one for each test that may run at the same time. Each has one
/// processor: two of them do what one with two processors could not.
final class Guests implements AutoCloseable {
    private static final int MOST = Math.min(2, Runtime.getRuntime().availableProcessors());

    private final List<Guest> all = new ArrayList<>();
    private final BlockingDeque<Guest> idle;

    Guests() {
        for (int number = 1; number <= MOST; number++) {
            all.add(new Guest(number));
        }
        idle = new LinkedBlockingDeque<>(all);
    }

    /// Runs one test in a guest that nobody else uses, and that runs already if there is such a
    /// one.
    Verdict run(String id, String name, Duration limit) throws Exception {
        Guest guest = idle.takeFirst();
        try {
            return guest.run(id, name, limit);
        } finally {
            idle.addFirst(guest);
        }
    }

    @Override
    public void close() throws IOException {
        for (Guest guest : all) {
            guest.close();
        }
    }
}
