package dev.pointsman;

import dev.pointsman.logging.Log;
import dev.pointsman.notice.Announcer;
import dev.pointsman.notice.Notice;
import dev.pointsman.notice.NoticeQueue;
import dev.pointsman.store.Finding;
import dev.pointsman.sync.SyncReport;

/// What operators are told of a process that programs a node: everything in its log, and what they
/// must know also to whoever posts Events.
///
/// @param events of which nothing comes unless somebody posts them
record LogAndEvents(Log log, NoticeQueue events) implements Announcer {
    @Override
    public void say(String line) {
        log.say(line);
    }

    @Override
    public void say(Notice notice) {
        log.say(notice);
        events.add(notice);
    }

    void say(Finding finding) {
        log.say(finding);
        Notices.of(finding).ifPresent(events::add);
    }

    void say(SyncReport report) {
        log.say(report);
        Notices.of(report).forEach(events::add);
    }
}
