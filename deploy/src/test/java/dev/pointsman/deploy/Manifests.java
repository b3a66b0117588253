package dev.pointsman.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/// Objects of Kubernetes, as YAML has them.
record Manifests(Set<Map<?, ?>> objects) {
    private static final Map<String, Class<?>> KINDS =
            Map.of(
                    "ClusterRoleBinding", ClusterRoleBinding.class,
                    "ConfigMap", ConfigMap.class,
                    "DaemonSet", DaemonSet.class,
                    "ServiceAccount", ServiceAccount.class);

    /// The models keep a field that they do not know in a map, from which nobody would miss it.
    private static final JsonMapper STRICT =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .annotationIntrospector(
                            new JacksonAnnotationIntrospector() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                public Boolean hasAnySetter(
                                        MapperConfig<?> config, Annotated member) {
                                    return false;
                                }
                            })
                    .build();

    static Manifests of(String yaml) {
        Set<Map<?, ?>> objects = new LinkedHashSet<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
            if (document instanceof Map<?, ?> object) {
                objects.add(object);
            }
        }
        return new Manifests(objects);
    }

    /// Those of Kubernetes itself, with every field in its place.
    ///
    /// @throws tools.jackson.databind.DatabindException when one has a field that its kind has not
    Manifests checked() {
        objects.stream()
                .filter(object -> !isOfOperator(object))
                .forEach(
                        object ->
                                STRICT.convertValue(
                                        object,
                                        Objects.requireNonNull(
                                                KINDS.get(kind(object)), kind(object))));
        return this;
    }

    /// The only one of its kind.
    <T> T only(Class<T> kind) {
        return objects.stream()
                .filter(object -> kind(object).equals(kind.getSimpleName()))
                .map(object -> STRICT.convertValue(object, kind))
                .reduce(
                        (one, other) -> {
                            throw new AssertionError("two of kind " + kind);
                        })
                .orElseThrow();
    }

    /// As it is written, of a kind that has no model here.
    Map<?, ?> only(String kind) {
        return objects.stream()
                .filter(object -> kind(object).equals(kind))
                .findFirst()
                .orElseThrow();
    }

    /// Prometheus' operator has a schema of its own, which no cluster has by itself.
    private static boolean isOfOperator(Map<?, ?> object) {
        return String.valueOf(object.get("apiVersion")).startsWith("monitoring.coreos.com/");
    }

    private static String kind(Map<?, ?> object) {
        return String.valueOf(object.get("kind"));
    }
}
