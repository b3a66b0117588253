package dev.pointsman.iptables;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.Pool;
import dev.pointsman.graph.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.regex.Pattern;

/// The names of our chains. Those that kube-proxy has too mean the same and carry the same hashes,
/// since people and tools look for them.
public final class ChainNames {
    /// iptables takes names shorter than 29 characters.
    static final int LONGEST = 28;

    public static final String SERVICES = "KUBE-SERVICES";
    public static final String NODE_PORTS = "KUBE-NODEPORTS";
    static final String EXTERNAL_SERVICES = "KUBE-EXTERNAL-SERVICES";
    public static final String POSTROUTING = "KUBE-POSTROUTING";
    public static final String MARK_MASQ = "KUBE-MARK-MASQ";
    public static final String FORWARD = "KUBE-FORWARD";
    static final String CANARY = "KUBE-PROXY-CANARY";

    /// Shared with kubelet, so it is filled but never removed.
    static final String FIREWALL = "KUBE-FIREWALL";

    static final String UNTRANSLATED_NODE_PORTS = "KUBE-NO-NODEPORTS";
    public static final String CLUSTER_IPS = "KUBE-CLUSTER-IPS";
    static final String KEPT_SOURCES = "KUBE-KEPT-SOURCES";
    static final String REMOTE_PODS = "KUBE-REMOTE-PODS";
    public static final String REMOTE_NODE_PORTS = "KUBE-REMOTE-NODEPORTS";

    // Of mode ipvs; those that its kube-proxy has too mean the same.
    public static final String PROXY_FIREWALL = "KUBE-PROXY-FIREWALL";
    public static final String SOURCE_RANGES_FIREWALL = "KUBE-SOURCE-RANGES-FIREWALL";
    public static final String IPVS_FILTER = "KUBE-IPVS-FILTER";
    public static final String IPVS_OUT_FILTER = "KUBE-IPVS-OUT-FILTER";
    public static final String IPVS_NODE_PORT = "KUBE-NODE-PORT";
    public static final String SERVICE_IPS = "KUBE-SERVICE-IPS";
    public static final String SHORT_CUTS = "KUBE-SHORT-CUTS";
    public static final String NODE_PORT_SHORT_CUTS = "KUBE-NODE-PORT-SHORT-CUTS";

    /// Where it is tried out what the kernel takes; nothing leads to it.
    static final String TRIAL = "KUBE-TRIAL";

    static final String ADDRESS_BLOCK = "KUBE-IP-";
    static final String PORT_BLOCK = "KUBE-NP-";
    static final String REMOTE_PORT_BLOCK = "KUBE-RNP-";
    static final String CLUSTER_IP_BLOCK = "KUBE-CIP-";

    private static final Set<String> FIXED =
            Set.of(
                    SERVICES,
                    NODE_PORTS,
                    EXTERNAL_SERVICES,
                    POSTROUTING,
                    MARK_MASQ,
                    FORWARD,
                    CANARY,
                    UNTRANSLATED_NODE_PORTS,
                    CLUSTER_IPS,
                    KEPT_SOURCES,
                    REMOTE_PODS,
                    REMOTE_NODE_PORTS,
                    TRIAL,
                    PROXY_FIREWALL,
                    SOURCE_RANGES_FIREWALL,
                    IPVS_FILTER,
                    IPVS_OUT_FILTER,
                    IPVS_NODE_PORT,
                    SERVICE_IPS,
                    SHORT_CUTS,
                    NODE_PORT_SHORT_CUTS,
                    // What only kube-proxy has, and leaves when it is replaced.
                    "KUBE-LOAD-BALANCER");

    private static final Set<String> OURS_ALONE =
            Set.of(
                    UNTRANSLATED_NODE_PORTS,
                    CLUSTER_IPS,
                    KEPT_SOURCES,
                    REMOTE_PODS,
                    REMOTE_NODE_PORTS,
                    TRIAL,
                    SERVICE_IPS,
                    SHORT_CUTS,
                    NODE_PORT_SHORT_CUTS);

    /// `KUBE-XLB-` is kube-proxy's of earlier versions. The whole shape counts: other programs
    /// begin names of theirs with `KUBE-` too.
    private static final Pattern OF_SERVICES =
            Pattern.compile("KUBE-(SVC|SVL|SEP|EXT|FW|XLB)-[A-Z2-7]{16}");

    private static final Pattern OF_BLOCKS =
            Pattern.compile(
                    "("
                            + String.join(
                                    "|",
                                    ADDRESS_BLOCK,
                                    PORT_BLOCK,
                                    REMOTE_PORT_BLOCK,
                                    CLUSTER_IP_BLOCK)
                            + ")([0-9a-f.:]+/[0-9]+(-.*)?|(tcp|udp|sctp)(-.*)?|[A-Z2-7]{16})");

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int HASH_LENGTH = 16;

    private ChainNames() {}

    /// The chain that picks an endpoint of one of the owner's lists.
    static String pool(ServicePortName owner, Pool.Scope scope) {
        return switch (scope) {
            case CLUSTER -> "KUBE-SVC-" + hash(text(owner));
            case LOCAL -> "KUBE-SVL-" + hash(text(owner));
        };
    }

    /// The chain for traffic to external addresses of the owner.
    static String external(ServicePortName owner) {
        return "KUBE-EXT-" + hash(text(owner));
    }

    /// The chain that admits the owner's source ranges.
    static String sources(ServicePortName owner) {
        return "KUBE-FW-" + hash(text(owner));
    }

    /// The chain of one endpoint, which is also the name of the list of its clients.
    static String endpoint(ServicePortName owner, Endpoint endpoint) {
        return "KUBE-SEP-" + hash(text(owner) + endpoint);
    }

    /// Whether a chain of this name is ours, in whatever table. Other programs' chains, kubelet's
    /// among them, are never touched.
    static boolean isOurs(String name) {
        return FIXED.contains(name)
                || OF_SERVICES.matcher(name).matches()
                || OF_BLOCKS.matcher(name).matches();
    }

    /// Whether only Pointsman makes such a chain.
    static boolean isOursAlone(Chain.Key key) {
        return OURS_ALONE.contains(key.name())
                || OF_BLOCKS.matcher(key.name()).matches()
                // kube-proxy has these in table filter.
                || key.table() == Table.MANGLE
                        && Set.of(PROXY_FIREWALL, SOURCE_RANGES_FIREWALL).contains(key.name());
    }

    private static String text(ServicePortName owner) {
        return owner + owner.protocol().keyword();
    }

    /// The first 16 characters of the SHA-256 of `text` in base 32.
    static String hash(String text) {
        byte[] digest;
        try {
            digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
        StringBuilder hash = new StringBuilder(HASH_LENGTH);
        for (int i = 0; i < HASH_LENGTH; i++) {
            int bit = i * 5;
            int pair = (digest[bit / 8] & 0xff) << 8 | digest[bit / 8 + 1] & 0xff;
            hash.append(BASE32.charAt(pair >> 11 - bit % 8 & 31));
        }
        return hash.toString();
    }
}
