package dev.pointsman.packet.read;

/// A construct that the model does not have. Whoever reads a rule or a set turns it into one that
/// nobody trusts.
final class NotUnderstood extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String what;

    NotUnderstood(String what) {
        // Thrown and caught within one reader: where from does not matter, and a stack costs much.
        super(what, null, false, false);
        this.what = what;
    }

    String what() {
        return what;
    }
}
