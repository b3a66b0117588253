package dev.pointsman.netlink;

/// How the kernel answered one command of many. Commands stand for themselves: one that is refused
/// does not keep those after it from taking effect.
public sealed interface Answer {
    /// It is in effect.
    record Done() implements Answer {}

    /// It has changed nothing.
    ///
    /// @param errno of Linux, or of ip_set above 4096
    /// @param reason the command and the refusal in words, for the log
    record Refused(Cause cause, int errno, String reason) implements Answer {}

    /// What callers tell refusals apart by.
    enum Cause {
        /// What was to be added is there already.
        EXISTS,
        /// What was to be changed or deleted is not there, or what it belongs to is not.
        MISSING,
        /// What was to be deleted is in use.
        IN_USE,
        /// None of these; the reason says more.
        OTHER
    }
}
