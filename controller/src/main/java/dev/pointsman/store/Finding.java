package dev.pointsman.store;

import java.util.Locale;

/// Something an operator should know about an object that was read: what is wrong, where, what
/// became of it.
///
/// @param object kind and name, such as `Service shop/web`; what is known of it where the name is
///   missing
/// @param where file and line, or the API server; empty when the object itself says enough
/// @param field path of the field, such as `spec.ports[0].port`; empty for the whole object
/// @param reason what is wrong with it, quoting the value
/// @param consequence what was done about it and what the operator can do
public record Finding(
        Severity severity,
        String object,
        String where,
        String field,
        String reason,
        String consequence) {
    /// How bad it is.
    public enum Severity {
        /// The object, or the part named, has no rules.
        ERROR,
        /// The object has rules, but perhaps not those that were meant.
        WARNING,
        /// Something is as it should be again.
        NOTE;

        /// As it is shown.
        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// One line for people.
    @Override
    public String toString() {
        return severity.title() + ": " + line();
    }

    /// The same without the severity.
    public String line() {
        return (where.isEmpty() ? "" : where + ": ") + object + ": " + note();
    }

    /// What is to be said of the object, without naming it.
    public String note() {
        return (field.isEmpty() ? "" : field + ": ")
                + reason
                + (consequence.isEmpty() ? "" : "; " + consequence);
    }
}
