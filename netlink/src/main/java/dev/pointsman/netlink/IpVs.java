package dev.pointsman.netlink;

/// Command and attribute numbers of `linux/ip_vs.h`. Numbers in attributes are in the machine's
/// byte order; ports, addresses and IPv4 netmasks in network byte order.
final class IpVs {
    /// `IPVS_GENL_NAME`.
    static final String FAMILY = "IPVS";

    /// `IPVS_GENL_VERSION`.
    static final int VERSION = 1;

    static final int NEW_SERVICE = 1;
    static final int SET_SERVICE = 2;
    static final int DELETE_SERVICE = 3;
    static final int GET_SERVICE = 4;
    static final int NEW_DESTINATION = 5;
    static final int SET_DESTINATION = 6;
    static final int DELETE_DESTINATION = 7;
    static final int GET_DESTINATION = 8;
    static final int SET_CONFIG = 12;
    static final int GET_CONFIG = 13;
    static final int GET_INFO = 15;

    static final int SERVICE = 1;
    static final int DESTINATION = 2;
    static final int TIMEOUT_TCP = 4;
    static final int TIMEOUT_TCP_FIN = 5;
    static final int TIMEOUT_UDP = 6;

    static final int SERVICE_FAMILY = 1;
    static final int SERVICE_PROTOCOL = 2;
    static final int SERVICE_ADDRESS = 3;
    static final int SERVICE_PORT = 4;
    static final int SERVICE_MARK = 5;
    static final int SERVICE_SCHEDULER = 6;

    /// `struct ip_vs_flags`: flags u32, mask u32.
    static final int SERVICE_FLAGS = 7;

    static final int SERVICE_TIMEOUT = 8;
    static final int SERVICE_NETMASK = 9;

    static final int DESTINATION_ADDRESS = 1;
    static final int DESTINATION_PORT = 2;
    static final int DESTINATION_FORWARDING = 3;
    static final int DESTINATION_WEIGHT = 4;
    static final int DESTINATION_UPPER_THRESHOLD = 5;
    static final int DESTINATION_LOWER_THRESHOLD = 6;
    static final int DESTINATION_ACTIVE = 7;
    static final int DESTINATION_INACTIVE = 8;
    static final int DESTINATION_PERSISTENT = 9;
    static final int DESTINATION_FAMILY = 11;

    static final int INFO_VERSION = 1;
    static final int INFO_CONNECTION_TABLE_SIZE = 2;

    /// `union nf_inet_addr`, an address of either family from its first byte on.
    static final int ADDRESS_LENGTH = 16;

    private IpVs() {}
}
