package dev.pointsman.kube;

import java.util.List;

/// One object as it was read, not decoded yet.
///
/// @param apiVersion empty when neither the object nor its list says
/// @param kind empty when neither the object nor its list says
/// @param defects what its text does that no Kubernetes program writes, such as a field given twice
record KubeObject(
        String apiVersion, String kind, Tree.Fields fields, Origin origin, List<Defect> defects) {

    /// @param field name of the field
    /// @param reason what is wrong with it
    /// @param effect whether the rest of the object still means what was written
    record Defect(String field, String reason, Effect effect) {}

    /// Whether an object with a [Defect] can be used.
    enum Effect {
        HARMLESS,
        OBJECT_UNUSABLE
    }

    KubeObject(Tree.Fields fields, Origin origin, List<Defect> defects) {
        this(text(fields, "apiVersion"), text(fields, "kind"), fields, origin, defects);
    }

    /// The same object with what its list says where it is silent itself.
    KubeObject orElse(String listApiVersion, String itemKind) {
        return new KubeObject(
                apiVersion.isEmpty() ? listApiVersion : apiVersion,
                kind.isEmpty() ? itemKind : kind,
                fields,
                origin,
                defects);
    }

    /// `kind namespace/name` as far as they are known.
    String title() {
        Tree.Fields metadata =
                fields.get("metadata") instanceof Tree.Fields given ? given : Tree.EMPTY;
        String namespace = text(metadata, "namespace");
        String name = text(metadata, "name");
        return Quote.plain(
                (kind.isEmpty() ? "object" : kind)
                        + " "
                        + (namespace.isEmpty() ? "" : namespace + "/")
                        + (name.isEmpty() ? "(without name)" : name));
    }

    private static String text(Tree.Fields fields, String name) {
        return fields.get(name) instanceof Tree.Text(String value) ? value : "";
    }
}
