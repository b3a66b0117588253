package dev.pointsman.packet.verify;

/// Why a flow does not get through.
///
/// @param words for people
/// @param object what is responsible: a Service with the field, a rule, the route
public record Reason(Code code, String words, String object) {
    /// For programs; codes stay.
    public enum Code {
        /// Nobody can answer, here or elsewhere.
        NO_ENDPOINTS,
        /// The slices have ports, none of them with the Service port's name and protocol.
        PORT_NAME_MISMATCH,
        /// Policy Local, and the endpoints run elsewhere.
        NO_LOCAL_ENDPOINT,
        /// The sender is in none of loadBalancerSourceRanges.
        SOURCE_RANGE,
        /// A node port, dialled at an address of the node that does not answer on node ports.
        NODE_PORT_ADDRESS,
        /// A node port on a loopback address.
        LOCALHOST_UNSUPPORTED,
        /// The Service has the port with another protocol.
        WRONG_PROTOCOL,
        /// The address is a Service's and the port is not.
        UNKNOWN_PORT,
        /// No Service has the address.
        NO_SERVICE,
        /// A rule that is no proxy's stopped it.
        FOREIGN_FIREWALL,
        /// A proxy's rule did what intent does not want.
        WRONG_RULE,
        /// The endpoint gets it, and its answer does not come back.
        ANSWER_LOST,
        /// Routing stopped it.
        NO_ROUTE,
        /// Conntrack knows the flow from before, and sends it where no new one would go.
        STALE_FLOW
    }
}
