package dev.pointsman;

/// Exit codes, those of `kubectl diff` where there is a like.
final class Exit {
    static final int OK = 0;

    /// Something differs or is set aside.
    static final int DIFFERENT = 1;

    /// Bad usage or input.
    static final int INPUT = 2;

    /// The kernel or the API server cannot be reached, or refuses.
    static final int UNREACHABLE = 3;

    /// Rules hold what is not understood, so that nothing can be said for certain.
    static final int UNTRUSTWORTHY = 3;

    /// A bug in Pointsman; as `sysexits.h` has it.
    static final int BUG = 70;

    /// The same command has to start again, to take up what changed; as `sysexits.h` has it.
    static final int AGAIN = 75;

    private Exit() {}
}
