package dev.pointsman.serve;

/// What a port has to show. Asked on the one thread of all ports: whoever answers must not wait for
/// anything.
interface Pages {
    Answer answer(Ask ask);

    /// Sets what `ask` names to `value`.
    default Answer put(Ask ask, String value) {
        return Answer.readOnly();
    }
}
