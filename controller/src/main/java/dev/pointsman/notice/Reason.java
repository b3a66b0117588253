package dev.pointsman.notice;

/// Why there is an Event. Titles and actions are those of kube-proxy 1.37 where it has the same
/// (behaviour document 5).
public enum Reason {
    STARTING("Starting", "StartKubeProxy", Type.NORMAL, Seen.BY_THIS_NODE),
    MODE_DEFAULTED("KubeProxyDefaultMode", "StartKubeProxy", Type.WARNING, Seen.BY_THIS_NODE),
    CONNTRACK_NOT_SET("ConntrackNotSet", "SetConntrack", Type.WARNING, Seen.BY_THIS_NODE),
    HEALTHZ_FAILED(
            "FailedToStartProxierHealthcheck", "StartKubeProxy", Type.WARNING, Seen.BY_THIS_NODE),
    METRICS_FAILED("FailedToStartMetricServer", "StartKubeProxy", Type.WARNING, Seen.BY_THIS_NODE),
    HEALTH_CHECK_PORT_FAILED(
            "FailedToStartServiceHealthcheck", "Listen", Type.WARNING, Seen.BY_THIS_NODE),
    CONFIGURATION_REFUSED(
            "ConfigurationRefused", "ReadConfiguration", Type.WARNING, Seen.BY_THIS_NODE),
    NODE_UNKNOWN("NodeUnknown", "WriteRules", Type.WARNING, Seen.BY_THIS_NODE),

    /// An object cannot be used, or not in full.
    UNUSABLE("UnusableObject", "ReadObject", Type.WARNING, Seen.BY_EVERY_NODE),
    CONFLICT("AddressConflict", "PlanRules", Type.WARNING, Seen.BY_EVERY_NODE),

    RULES_REFUSED("RulesRefused", "WriteRules", Type.WARNING, Seen.BY_THIS_NODE),
    RULES_ACCEPTED("RulesAccepted", "WriteRules", Type.NORMAL, Seen.BY_THIS_NODE),
    RULES_NOT_WRITTEN("RulesNotWritten", "WriteRules", Type.WARNING, Seen.BY_THIS_NODE),
    KERNEL_UNREACHABLE("KernelUnreachable", "WriteRules", Type.WARNING, Seen.BY_THIS_NODE),
    BUG("InternalError", "WriteRules", Type.WARNING, Seen.BY_THIS_NODE),
    RULES_REMOVED("RulesRemoved", "RepairRules", Type.WARNING, Seen.BY_THIS_NODE),
    FLOWS_LEFT("StaleFlowsLeft", "DeleteFlows", Type.WARNING, Seen.BY_THIS_NODE),
    LEFTOVERS("LeftoverRules", "TakeOver", Type.WARNING, Seen.BY_THIS_NODE),

    /// Other notices were left out, so that the API server is spared.
    WITHHELD("EventsWithheld", "WriteEvents", Type.WARNING, Seen.BY_THIS_NODE);

    /// What `kubectl get events` shows as TYPE.
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String title;

        Type(String title) {
            this.title = title;
        }

        /// As Kubernetes writes it.
        public String title() {
            return title;
        }
    }

    /// Who comes to the same finding.
    public enum Seen {
        BY_THIS_NODE,
        /// It follows from what the API server says, so that one Event speaks for all nodes.
        BY_EVERY_NODE
    }

    private final String title;
    private final String action;
    private final Type type;
    private final Seen seen;

    Reason(String title, String action, Type type, Seen seen) {
        this.title = title;
        this.action = action;
        this.type = type;
        this.seen = seen;
    }

    /// What `kubectl get events` shows as REASON.
    public String title() {
        return title;
    }

    /// What was attempted.
    public String action() {
        return action;
    }

    public Type type() {
        return type;
    }

    public Seen seen() {
        return seen;
    }
}
