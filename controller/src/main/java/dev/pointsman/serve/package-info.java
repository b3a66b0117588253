/// What of itself the process shows over HTTP: health, metrics, rules. Hears of the loop's work by
/// [dev.pointsman.sync.SyncNote] and never talks back. The only package that knows netty and the
/// Prometheus client.
@NullMarked
package dev.pointsman.serve;

import org.jspecify.annotations.NullMarked;
