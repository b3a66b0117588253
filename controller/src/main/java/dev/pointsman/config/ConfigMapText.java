package dev.pointsman.config;

import java.util.List;

/// Finds a KubeProxyConfiguration in the ConfigMap that `kubectl get configmap -o yaml` prints.
final class ConfigMapText {
    private ConfigMapText() {}

    /// The configuration that `text` is, or holds; any other object as it is.
    static YamlDocument unwrapped(Leaf.Origin origin, String text) throws YamlDocument.NoObject {
        YamlDocument document = YamlDocument.of(origin, ConfigReader.KIND, text);
        return document.kind().equals("ConfigMap") ? unwrapped(document) : document;
    }

    private static YamlDocument unwrapped(YamlDocument map) throws YamlDocument.NoObject {
        // Its key differs: config.conf with kubeadm, config on EKS, and others elsewhere.
        List<YamlDocument.Embedded> found =
                map.embedded("data").stream()
                        .filter(entry -> entry.text().contains(ConfigReader.KIND))
                        .toList();
        if (found.size() != 1) {
            throw new YamlDocument.NoObject(
                    map.origin().source()
                            + ": is a ConfigMap in which "
                            + (found.isEmpty() ? "no entry is" : found.size() + " entries are")
                            + " of kind "
                            + ConfigReader.KIND);
        }
        YamlDocument.Embedded entry = found.getFirst();
        return YamlDocument.of(entry.origin(), ConfigReader.KIND, entry.text());
    }
}
