package dev.pointsman.notice;

import dev.pointsman.graph.ServiceName;

/// Something that the operator of a cluster must know, told by an Event.
///
/// @param note for people, without what changes from one attempt to the next
public record Notice(Subject subject, Reason reason, String note) {

    /// The object that it is about.
    public sealed interface Subject {
        /// This machine's Node.
        record OwnNode() implements Subject {}

        record OfService(ServiceName service) implements Subject {}

        record OfSlice(String namespace, String name) implements Subject {}
    }

    /// One about this machine.
    public static Notice ofNode(Reason reason, String note) {
        return new Notice(new Subject.OwnNode(), reason, note);
    }

    /// One about a Service.
    public static Notice ofService(ServiceName service, Reason reason, String note) {
        return new Notice(new Subject.OfService(service), reason, note);
    }

    /// One line for people.
    @Override
    public String toString() {
        return switch (subject) {
            case Subject.OwnNode _ -> note;
            case Subject.OfService(var service) -> "Service " + service + ": " + note;
            case Subject.OfSlice(var namespace, var name) ->
                    "EndpointSlice " + namespace + "/" + name + ": " + note;
        };
    }
}
