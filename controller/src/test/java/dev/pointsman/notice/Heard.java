package dev.pointsman.notice;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Remembers what is announced, for tests.
public final class Heard implements Announcer {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<Notice> notices = new ConcurrentLinkedQueue<>();

    @Override
    public void say(String line) {
        lines.add(line);
    }

    @Override
    public void say(Notice notice) {
        lines.add(notice.toString());
        notices.add(notice);
    }

    /// Everything, as the log has it.
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /// Why there would be Events.
    public List<Reason> reasons() {
        return notices.stream().map(Notice::reason).toList();
    }
}
