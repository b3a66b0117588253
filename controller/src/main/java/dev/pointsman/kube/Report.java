package dev.pointsman.kube;

import dev.pointsman.store.Finding;
import dev.pointsman.store.Finding.Severity;
import java.util.function.Consumer;

/// Takes down what is wrong with one object.
record Report(KubeObject object, Consumer<Finding> findings) {
    void error(String field, String reason, String consequence) {
        add(Severity.ERROR, field, reason, consequence);
    }

    void warning(Field field, String reason, String consequence) {
        add(Severity.WARNING, field.path().spelt(), reason, consequence);
    }

    void add(Severity severity, String field, String reason, String consequence) {
        findings.accept(
                new Finding(
                        severity,
                        object.title(),
                        object.origin().toString(),
                        field,
                        reason,
                        consequence));
    }
}
