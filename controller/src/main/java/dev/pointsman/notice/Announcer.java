package dev.pointsman.notice;

/// Tells operators, from any thread and without making it wait.
public interface Announcer {
    /// Says something in the log.
    void say(String line);

    /// Says something in the log, and as an Event where a cluster is followed.
    void say(Notice notice);
}
