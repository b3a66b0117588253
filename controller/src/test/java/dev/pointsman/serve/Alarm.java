package dev.pointsman.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A clock that a test sets forward.
final class Alarm implements Later {
    private record Due(Duration delay, Runnable task) {}

    private final List<Due> tasks = new ArrayList<>();

    @Override
    public void after(Duration delay, Runnable task) {
        tasks.add(new Due(delay, task));
    }

    /// Does what is due within `time`, counted from now.
    void passes(Duration time) {
        List<Due> due = tasks.stream().filter(t -> t.delay().compareTo(time) <= 0).toList();
        tasks.removeAll(due);
        due.forEach(t -> t.task().run());
    }
}
