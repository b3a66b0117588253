package dev.pointsman.ipvs;

import dev.pointsman.graph.Family;

/// The ipsets that the fixed rules ask. No name is one of kube-proxy's: with a set of that name and
/// another capacity it does not write its rules, and the way back to it is barred.
enum ServiceSet {
    /// Addresses of Services with their ports.
    SERVICE_IP("SERVICE-IP", Kind.ADDRESS_PORT),
    /// Those of them whose packets are masqueraded wherever they come from.
    MASQUERADE("MASQUERADE", Kind.ADDRESS_PORT),
    /// Those whose packets are masqueraded unless they come from a pod.
    MASQUERADE_NOT_PODS("MASQUERADE-NOT-PODS", Kind.ADDRESS_PORT),
    /// Those that lead pods and processes of this node elsewhere than others.
    LOCAL_POLICY("LOCAL-POLICY", Kind.ADDRESS_PORT),
    /// Those whose packets vanish.
    DROP("DROP", Kind.ADDRESS_PORT),
    /// Those whose packets vanish when they come from outside.
    DROP_OUTSIDE("DROP-OUTSIDE", Kind.ADDRESS_PORT),
    /// Those that only some may use.
    RESTRICTED("RESTRICTED", Kind.ADDRESS_PORT),
    /// Who may use those.
    SOURCE_RANGES("SOURCE-RANGES", Kind.ADDRESS_PORT_NET),
    NODE_PORT("NODE-PORT", Kind.NET_PORT),
    /// Node ports whose packets are masqueraded wherever they come from.
    NODE_PORT_MASQUERADE("NODE-PORT-MASQUERADE", Kind.NET_PORT),
    NODE_PORT_LOCAL_POLICY("NODE-PORT-LOCAL-POLICY", Kind.NET_PORT),
    NODE_PORT_DROP_OUTSIDE("NODE-PORT-DROP-OUTSIDE", Kind.NET_PORT),
    /// Addresses of endpoints on this node, each as a pair with itself.
    HAIRPIN("HAIRPIN", Kind.NET_NET),
    /// The addresses on kube-ipvs0.
    BOUND_IP("BOUND-IP", Kind.ADDRESS);

    /// What its members are, in the words of ipset(8).
    enum Kind {
        ADDRESS("hash:ip"),
        ADDRESS_PORT("hash:ip,port"),
        ADDRESS_PORT_NET("hash:ip,port,net"),
        NET_PORT("hash:net,port"),
        NET_NET("hash:net,net");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        String type() {
            return type;
        }
    }

    /// How many members a set may have. It costs nothing: a set grows with its members.
    static final int CAPACITY = 1 << 20;

    private final String name;
    private final Kind kind;

    ServiceSet(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /// Its name, which the kernel takes up to 31 characters of.
    String name(Family family) {
        return prefix(family) + name;
    }

    private static String prefix(Family family) {
        return switch (family) {
            case IPV4 -> "KUBE-";
            case IPV6 -> "KUBE-6-";
        };
    }

    /// The name under which it is made anew beside one that is in use.
    static String substitute(Family family) {
        return prefix(family) + "TMP";
    }

    /// What `ipset restore` makes a set like this with, under `name`.
    String definition(String name, Family family) {
        return name
                + " "
                + kind.type()
                + " family "
                + switch (family) {
                    case IPV4 -> "inet";
                    case IPV6 -> "inet6";
                }
                + " hashsize 1024 maxelem "
                + CAPACITY;
    }
}
