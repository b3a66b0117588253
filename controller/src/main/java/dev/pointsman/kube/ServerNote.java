package dev.pointsman.kube;

import java.time.Duration;

/// What the conversation with an API server tells metrics, on the threads that ask.
public sealed interface ServerNote {
    /// In place of a status code: there was no answer.
    String NO_ANSWER = "<error>";

    /// Objects of this kind are followed from now on.
    record Following(String kind) implements ServerNote {}

    /// The server said something about objects of this kind, be it that nothing changed.
    record Heard(String kind) implements ServerNote {}

    /// A request was answered, or was not.
    ///
    /// @param host with the port
    /// @param code [#NO_ANSWER] if there was none
    /// @param took until the answer began
    record Answered(String method, String host, String code, Duration took) implements ServerNote {}

    /// A watch began, or did not.
    ///
    /// @param host with the port
    /// @param code [#NO_ANSWER] if there was no answer
    record WatchBegan(String host, String code) implements ServerNote {}
}
