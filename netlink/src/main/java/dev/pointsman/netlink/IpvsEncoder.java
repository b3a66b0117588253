package dev.pointsman.netlink;

import java.net.InetAddress;

/// Writes IPVS messages.
final class IpvsEncoder {
    private final int family;

    /// @param family the number that generic netlink has given to IPVS
    IpvsEncoder(int family) {
        this.family = family;
    }

    /// Writes a whole request and returns where its message starts.
    int command(MessageWriter out, int sequence, IpvsCommand command) {
        int start = begin(out, number(command), 0, sequence);
        switch (command) {
            case IpvsCommand.AddService(var service) -> service(out, service);
            case IpvsCommand.EditService(var service) -> service(out, service);
            case IpvsCommand.DeleteService(var key) -> service(out, key);
            case IpvsCommand.AddDestination(var key, var destination) -> {
                service(out, key);
                destination(out, destination);
            }
            case IpvsCommand.EditDestination(var key, var destination) -> {
                service(out, key);
                destination(out, destination);
            }
            case IpvsCommand.DeleteDestination(var key, var destination) -> {
                service(out, key);
                int nest = out.begin(IpVs.DESTINATION);
                key(out, destination);
                out.end(nest);
            }
        }
        out.endMessage(start);
        return start;
    }

    private static int number(IpvsCommand command) {
        return switch (command) {
            case IpvsCommand.AddService _ -> IpVs.NEW_SERVICE;
            case IpvsCommand.EditService _ -> IpVs.SET_SERVICE;
            case IpvsCommand.DeleteService _ -> IpVs.DELETE_SERVICE;
            case IpvsCommand.AddDestination _ -> IpVs.NEW_DESTINATION;
            case IpvsCommand.EditDestination _ -> IpVs.SET_DESTINATION;
            case IpvsCommand.DeleteDestination _ -> IpVs.DELETE_DESTINATION;
        };
    }

    /// Opens a request.
    int begin(MessageWriter out, int command, int flags, int sequence) {
        return GenericNetlink.begin(
                out, family, NftBatch.REQUEST | flags, sequence, command, IpVs.VERSION);
    }

    /// The key of a service.
    void service(MessageWriter out, IpvsService.Key key) {
        int nest = out.begin(IpVs.SERVICE);
        key(out, key);
        out.end(nest);
    }

    private void service(MessageWriter out, IpvsService service) {
        int nest = out.begin(IpVs.SERVICE);
        key(out, service.key());
        out.string(IpVs.SERVICE_SCHEDULER, service.scheduler());
        byte[] flags = new byte[8];
        MessageWriter.NATIVE_INT.set(flags, 0, service.flags());
        MessageWriter.NATIVE_INT.set(flags, 4, -1);
        out.bytes(IpVs.SERVICE_FLAGS, flags);
        out.nativeU32(IpVs.SERVICE_TIMEOUT, service.timeout());
        switch (service.key().family()) {
            case IPV4 -> out.u32(IpVs.SERVICE_NETMASK, service.netmask());
            case IPV6 -> out.nativeU32(IpVs.SERVICE_NETMASK, service.netmask());
        }
        out.end(nest);
    }

    private static void key(MessageWriter out, IpvsService.Key key) {
        out.nativeU16(IpVs.SERVICE_FAMILY, key.family().number());
        switch (key) {
            case IpvsService.Key.Endpoint(var protocol, var address, var port) -> {
                out.nativeU16(IpVs.SERVICE_PROTOCOL, protocol);
                address(out, IpVs.SERVICE_ADDRESS, address);
                out.u16(IpVs.SERVICE_PORT, port);
            }
            case IpvsService.Key.Mark(var mark, _) -> out.nativeU32(IpVs.SERVICE_MARK, mark);
        }
    }

    private static void destination(MessageWriter out, IpvsDestination destination) {
        int nest = out.begin(IpVs.DESTINATION);
        key(out, destination.key());
        out.nativeU32(IpVs.DESTINATION_FORWARDING, destination.forwarding().number());
        out.nativeU32(IpVs.DESTINATION_WEIGHT, destination.weight());
        out.nativeU32(IpVs.DESTINATION_UPPER_THRESHOLD, destination.upperThreshold());
        out.nativeU32(IpVs.DESTINATION_LOWER_THRESHOLD, destination.lowerThreshold());
        out.end(nest);
    }

    private static void key(MessageWriter out, IpvsDestination.Key key) {
        address(out, IpVs.DESTINATION_ADDRESS, key.address());
        out.u16(IpVs.DESTINATION_PORT, key.port());
        out.nativeU16(IpVs.DESTINATION_FAMILY, IpFamily.of(key.address()).number());
    }

    private static void address(MessageWriter out, int type, InetAddress address) {
        byte[] own = address.getAddress();
        byte[] padded = new byte[IpVs.ADDRESS_LENGTH];
        System.arraycopy(own, 0, padded, 0, own.length);
        out.bytes(type, padded);
    }

    void timeouts(MessageWriter out, IpvsTimeouts timeouts) {
        out.nativeU32(IpVs.TIMEOUT_TCP, timeouts.tcp());
        out.nativeU32(IpVs.TIMEOUT_TCP_FIN, timeouts.tcpFin());
        out.nativeU32(IpVs.TIMEOUT_UDP, timeouts.udp());
    }
}
