package dev.pointsman.dataplane;

/// The kernel cannot be programmed at all: no permission, no such subsystem, socket gone. The
/// message says what was tried, what came back and what the operator can do.
public final class DataplaneUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataplaneUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
