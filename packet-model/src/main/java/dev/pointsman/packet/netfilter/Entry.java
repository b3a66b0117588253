package dev.pointsman.packet.netfilter;

/// How a packet gets into the node.
public sealed interface Entry {
    /// By an interface.
    ///
    /// @param port the bridge port behind the interface, empty if it is no bridge
    record Arriving(String device, String port) implements Entry {
        public static Arriving by(String device) {
            return new Arriving(device, "");
        }
    }

    /// A process of the node sends it.
    record Sent() implements Entry {}
}
