package dev.pointsman.store;

/// Whether a Node is about to go. Decides no rule: connections go on to the end.
public enum Outlook {
    STAYS,
    /// Its object is being deleted.
    BEING_DELETED,
    /// The cluster autoscaler has tainted it to take it down.
    TO_BE_TAKEN_DOWN
}
