package dev.pointsman.notice;

import java.time.Duration;
import java.time.Instant;

/// When something was noticed.
///
/// @param wall for people; it jumps, and decides nothing
/// @param nanos on a clock that only goes forward
public record Moment(Instant wall, long nanos) {
    Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }
}
