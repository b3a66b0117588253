package dev.pointsman.kube;

/// Namespace and name of an object, checked: they end up in the kernel's rules as comments.
///
/// @param namespace empty for kinds that have none
record ObjectName(String namespace, String name) {
    private static final int LABEL = 63;
    private static final int SUBDOMAIN = 253;

    /// @throws Malformed when either is missing or is no name that Kubernetes allows
    static ObjectName of(Kind kind, Field object) {
        Field metadata = object.get("metadata");
        Field name = metadata.get("name");
        // A dot is what tells a subdomain from a label, and Service names become DNS labels.
        String checkedName = checked(name, kind == Kind.SERVICE ? LABEL : SUBDOMAIN);
        return new ObjectName(
                kind.namespaced() ? checked(metadata.get("namespace"), LABEL).intern() : "",
                checkedName);
    }

    /// A port's name: empty, or a label.
    static String port(Field name) {
        return name.text().isEmpty() ? "" : checked(name, LABEL).intern();
    }

    private static String checked(Field field, int longest) {
        String text = field.text();
        if (text.isEmpty()) {
            throw field.malformed("is missing");
        }
        if (text.length() > longest) {
            throw field.malformed(
                    Quote.of(text) + " has " + text.length() + " characters, more than " + longest);
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean inner = i > 0 && i < text.length() - 1;
            boolean allowed =
                    c >= 'a' && c <= 'z'
                            || c >= '0' && c <= '9'
                            || inner && (c == '-' || c == '.' && longest == SUBDOMAIN);
            if (!allowed) {
                throw field.malformed(Quote.of(text) + " is no name that Kubernetes allows");
            }
        }
        return text;
    }
}
