package dev.pointsman.kube;

/// A fault that leaves the whole object without a meaning. Caught where objects are decoded.
final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    Malformed(String field, String reason) {
        // Nobody reads the trace, and a file can hold a million faults.
        super(reason, null, false, false);
        this.field = field;
    }

    /// Path of the field that is at fault.
    String field() {
        return field;
    }

    /// What is wrong with it.
    String reason() {
        return String.valueOf(getMessage());
    }
}
