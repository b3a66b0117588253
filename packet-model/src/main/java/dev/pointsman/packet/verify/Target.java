package dev.pointsman.packet.verify;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.packet.Flow;

/// What a flow is for.
record Target(IpAddress destination, Protocol protocol, int port) {
    Flow from(SourceClasses.Sender sender) {
        return new Flow(sender.origin(), protocol, sender.source(), destination, port);
    }
}
