package dev.pointsman.packet.scenario;

import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.ServiceName;

/// Where an endpoint is listed.
///
/// @param portName name of the Service port it belongs to, empty for the one without name
public record EndpointPlace(
        ServiceName service, String portName, String slice, IpAddress address, int port) {}
