package dev.pointsman.graph;

/// A Treatment without its owner and endpoints: what a backend needs to know to share one kernel
/// object among all Frontends that are handled alike.
public record Shape(Form form, Affinity affinity, Part fromPod, Part fromHost, Part fromOutside) {

    /// Which of the two kinds of Frontend it is.
    public enum Form {
        ADDRESS,
        NODE_PORT
    }

    /// A Disposition with the size of its pool in place of the endpoints.
    public sealed interface Part {
        record Balance(Pool.Scope scope, int size, Disposition.SourceAddress source)
                implements Part {}

        record Reject() implements Part {}

        record Drop() implements Part {}
    }

    public static Shape of(Frontend frontend, Treatment treatment) {
        return new Shape(
                switch (frontend) {
                    case Frontend.Address _ -> Form.ADDRESS;
                    case Frontend.NodePort _ -> Form.NODE_PORT;
                },
                treatment.affinity(),
                part(treatment.fromPod()),
                part(treatment.fromHost()),
                part(treatment.fromOutside()));
    }

    private static Part part(Disposition disposition) {
        return switch (disposition) {
            case Disposition.Balance(Pool pool, var source) ->
                    new Part.Balance(pool.scope(), pool.endpoints().size(), source);
            case Disposition.Reject _ -> new Part.Reject();
            case Disposition.Drop _ -> new Part.Drop();
        };
    }
}
