package dev.pointsman.netlink;

import java.util.Optional;

/// Reads IPVS messages. Statistics are left unread.
final class IpvsDecoder {
    private IpvsDecoder() {}

    /// The service of a message, or nothing if it is about something else.
    static Optional<IpvsService> service(Attributes message) {
        while (message.next()) {
            if (message.type() == IpVs.SERVICE) {
                return Optional.of(new Service(message.nested()).complete());
            }
        }
        return Optional.empty();
    }

    /// The destination of a message, or nothing if it is about something else.
    static Optional<IpvsListedDestination> destination(Attributes message, IpFamily family) {
        while (message.next()) {
            if (message.type() == IpVs.DESTINATION) {
                return Optional.of(new Destination(message.nested()).complete(family));
            }
        }
        return Optional.empty();
    }

    static IpvsVersion info(Attributes message) {
        int version = 0;
        int size = 0;
        while (message.next()) {
            switch (message.type()) {
                case IpVs.INFO_VERSION -> version = message.nativeU32();
                case IpVs.INFO_CONNECTION_TABLE_SIZE -> size = message.nativeU32();
                default -> {}
            }
        }
        return new IpvsVersion(version, size);
    }

    static IpvsTimeouts timeouts(Attributes message) {
        int tcp = 0;
        int tcpFin = 0;
        int udp = 0;
        while (message.next()) {
            switch (message.type()) {
                case IpVs.TIMEOUT_TCP -> tcp = message.nativeU32();
                case IpVs.TIMEOUT_TCP_FIN -> tcpFin = message.nativeU32();
                case IpVs.TIMEOUT_UDP -> udp = message.nativeU32();
                default -> {}
            }
        }
        try {
            return new IpvsTimeouts(tcp, tcpFin, udp);
        } catch (IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    private static NetlinkException malformed(IllegalArgumentException e) {
        return new NetlinkException("malformed IPVS message: " + e.getMessage(), e);
    }

    /// The attributes of a service, as far as they are read.
    private static final class Service {
        private int family;
        private int protocol;
        private byte[] address = {};
        private int port;
        private int mark;
        private String scheduler = "";
        private int flags;
        private int timeout;
        private int ipv4Netmask;
        private int ipv6Prefix;

        Service(Attributes in) {
            while (in.next()) {
                switch (in.type()) {
                    case IpVs.SERVICE_FAMILY -> family = in.nativeU16();
                    case IpVs.SERVICE_PROTOCOL -> protocol = in.nativeU16();
                    case IpVs.SERVICE_ADDRESS -> address = in.bytes();
                    case IpVs.SERVICE_PORT -> port = in.u16();
                    case IpVs.SERVICE_MARK -> mark = in.nativeU32();
                    case IpVs.SERVICE_SCHEDULER -> scheduler = in.string();
                    // The mask that follows has no meaning here.
                    case IpVs.SERVICE_FLAGS -> flags = in.nativeU32();
                    case IpVs.SERVICE_TIMEOUT -> timeout = in.nativeU32();
                    case IpVs.SERVICE_NETMASK -> {
                        ipv4Netmask = in.u32();
                        ipv6Prefix = in.nativeU32();
                    }
                    default -> {}
                }
            }
        }

        IpvsService complete() {
            IpFamily of = IpFamily.numbered(family, "a virtual server");
            int netmask =
                    switch (of) {
                        case IPV4 -> ipv4Netmask;
                        case IPV6 -> ipv6Prefix;
                    };
            try {
                IpvsService.Key key =
                        mark == 0
                                ? new IpvsService.Key.Endpoint(protocol, of.address(address), port)
                                : new IpvsService.Key.Mark(mark, of);
                return new IpvsService(key, scheduler, flags, timeout, netmask);
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
    }

    /// The attributes of a destination, as far as they are read.
    private static final class Destination {
        private int family;
        private byte[] address = {};
        private int port;
        private int forwarding;
        private int weight;
        private int upperThreshold;
        private int lowerThreshold;
        private int active;
        private int inactive;
        private int persistent;

        Destination(Attributes in) {
            while (in.next()) {
                switch (in.type()) {
                    case IpVs.DESTINATION_FAMILY -> family = in.nativeU16();
                    case IpVs.DESTINATION_ADDRESS -> address = in.bytes();
                    case IpVs.DESTINATION_PORT -> port = in.u16();
                    case IpVs.DESTINATION_FORWARDING -> forwarding = in.nativeU32();
                    case IpVs.DESTINATION_WEIGHT -> weight = in.nativeU32();
                    case IpVs.DESTINATION_UPPER_THRESHOLD -> upperThreshold = in.nativeU32();
                    case IpVs.DESTINATION_LOWER_THRESHOLD -> lowerThreshold = in.nativeU32();
                    case IpVs.DESTINATION_ACTIVE -> active = in.nativeU32();
                    case IpVs.DESTINATION_INACTIVE -> inactive = in.nativeU32();
                    case IpVs.DESTINATION_PERSISTENT -> persistent = in.nativeU32();
                    default -> {}
                }
            }
        }

        IpvsListedDestination complete(IpFamily ofService) {
            // Linux before 3.18 does not say: there it is the service's.
            IpFamily of = family == 0 ? ofService : IpFamily.numbered(family, "a real server");
            try {
                return new IpvsListedDestination(
                        new IpvsDestination(
                                new IpvsDestination.Key(of.address(address), port),
                                weight,
                                IpvsDestination.Forwarding.numbered(forwarding),
                                upperThreshold,
                                lowerThreshold),
                        active,
                        inactive,
                        persistent);
            } catch (IllegalArgumentException e) {
                throw malformed(e);
            }
        }
    }
}
