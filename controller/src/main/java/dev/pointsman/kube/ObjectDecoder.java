package dev.pointsman.kube;

import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.util.function.Consumer;

/// Makes of one object what Pointsman knows of it: the only reading of Kubernetes objects there is,
/// for files and API servers alike.
///
/// Never throws, whatever the object holds. A fault is a [Finding]; where the behaviour document
/// says so, only the faulty part is left out, and otherwise the object counts as absent. Owned by
/// one thread.
final class ObjectDecoder {
    private final SliceDecoder slices = new SliceDecoder();

    /// `object` must be of the kind `kind`.
    Decoded decode(Kind kind, KubeObject object, Consumer<Finding> findings) {
        Report report = new Report(object, findings);
        Field root = Field.root(object.fields());
        ObjectName name;
        try {
            name = ObjectName.of(kind, root);
        } catch (Malformed e) {
            report.error(e.field(), e.reason(), "the object is ignored");
            return new Decoded.Nothing();
        }
        for (KubeObject.Defect defect : object.defects()) {
            switch (defect.effect()) {
                case HARMLESS -> report.add(Severity.WARNING, defect.field(), defect.reason(), "");
                case OBJECT_UNUSABLE -> {
                    report.error(defect.field(), defect.reason(), ignored(kind));
                    return kind.gone(name.namespace(), name.name());
                }
            }
        }
        try {
            return switch (kind) {
                case SERVICE -> ServiceDecoder.decode(name, root, report);
                case ENDPOINT_SLICE -> slices.decode(name, root, report);
                case NODE -> NodeDecoder.node(name, root, report);
                case POD -> NodeDecoder.pod(name, root, report);
                case SERVICE_CIDR -> NodeDecoder.serviceRanges(name, root, report);
            };
        } catch (Malformed e) {
            report.error(e.field(), e.reason(), ignored(kind));
            return kind.gone(name.namespace(), name.name());
        }
    }

    private static String ignored(Kind kind) {
        return switch (kind) {
            case SERVICE -> "the Service gets no rules";
            case ENDPOINT_SLICE -> "none of its endpoints is used";
            case NODE, POD, SERVICE_CIDR -> "the object is ignored";
        };
    }
}
