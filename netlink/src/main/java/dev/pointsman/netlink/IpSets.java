package dev.pointsman.netlink;

/// Message, attribute and error numbers of `linux/netfilter/nfnetlink.h` and
/// `linux/netfilter/ipset/ip_set.h`, `ip_set_hash.h` and `ip_set_bitmap.h`.
final class IpSets {
    /// `NFNL_SUBSYS_IPSET`, the high byte of every message type.
    private static final int SUBSYSTEM = 6;

    static final int CREATE = (SUBSYSTEM << 8) + 2;
    static final int DESTROY = (SUBSYSTEM << 8) + 3;
    static final int FLUSH = (SUBSYSTEM << 8) + 4;
    static final int SWAP = (SUBSYSTEM << 8) + 6;
    static final int LIST = (SUBSYSTEM << 8) + 7;
    static final int ADD = (SUBSYSTEM << 8) + 9;
    static final int DELETE = (SUBSYSTEM << 8) + 10;
    static final int TYPE = (SUBSYSTEM << 8) + 13;

    /// Version 7 of Linux 4.20 adds requests that are not used here, and takes this one.
    static final int VERSION = 6;

    static final int PROTOCOL = 1;
    static final int NAME = 2;
    static final int TYPE_NAME = 3;
    static final int SECOND_NAME = TYPE_NAME;
    static final int REVISION = 4;
    static final int SET_FAMILY = 5;
    static final int FLAGS = 6;
    static final int DATA = 7;
    static final int ENTRIES = 8;
    static final int LINE = 9;
    static final int LEAST_REVISION = 10;

    /// `IPSET_FLAG_LIST_SETNAME`: names without headers and members.
    static final int NAMES_ONLY = 0x2;

    /// `IPSET_FLAG_LIST_HEADER`: headers without members.
    static final int HEADERS_ONLY = 0x4;

    /// Inside of DATA. The kernel wants to see NLA_F_NET_BYTEORDER on numbers and IPv4 addresses.
    static final int ADDRESS = 1;

    static final int PREFIX = 3;
    static final int PORT = 4;
    static final int LAST_PORT = 5;
    static final int TIMEOUT = 6;
    static final int IP_PROTOCOL = 7;
    static final int DATA_FLAGS = 8;
    static final int MARK_MASK = 11;
    static final int BIT_MASK = 12;
    static final int HASH_SIZE = 18;
    static final int MAX_ELEMENTS = 19;
    static final int NETMASK = 20;
    static final int ELEMENTS = 24;
    static final int REFERENCES = 25;

    /// Of entries; the numbers from 17 on mean other things in headers.
    static final int SECOND_ADDRESS = 20;

    static final int SECOND_PREFIX = 21;

    /// Inside of an address.
    static final int IPV4 = 1;

    static final int IPV6 = 2;

    /// `NLA_F_NET_BYTEORDER` of `linux/netlink.h`.
    static final int NETWORK_ORDER = 0x4000;

    /// `IPSET_MAXNAMELEN` counts the closing zero.
    static final int LONGEST_NAME = 31;

    static final int BUSY = 4100;
    static final int SECOND_NAME_EXISTS = 4101;
    static final int ENTRY_EXISTS = 4103;
    static final int REFERENCED = 4108;
    static final int TYPE_SPECIFIC = 4352;

    private IpSets() {}

    /// What an error number says that all types share, or the empty string for those of Linux.
    static String words(int errno) {
        return switch (errno) {
            case 4097 ->
                    "ip_set could not make out the message: an entry of another family or form"
                            + " than the set's, or a kernel too old (IPSET_ERR_PROTOCOL)";
            case 4098 ->
                    "the kernel has no such type of set, or not in this revision"
                            + " (IPSET_ERR_FIND_TYPE); load its module, such as ip_set_hash_ip";
            case 4099 -> "the kernel has as many sets as it can hold (IPSET_ERR_MAX_SETS)";
            case BUSY -> "a rule or another set refers to it (IPSET_ERR_BUSY)";
            case SECOND_NAME_EXISTS ->
                    "there is no set of the second name, or one too many"
                            + " (IPSET_ERR_EXIST_SETNAME2)";
            case 4102 -> "the two sets are of different types (IPSET_ERR_TYPE_MISMATCH)";
            case ENTRY_EXISTS -> "IPSET_ERR_EXIST";
            case 4104 -> "this length of a prefix is not possible (IPSET_ERR_INVALID_CIDR)";
            case 4105 -> "this netmask is not possible (IPSET_ERR_INVALID_NETMASK)";
            case 4106 -> "this family is not possible for the type (IPSET_ERR_INVALID_FAMILY)";
            case 4107 -> "the set was made without timeouts (IPSET_ERR_TIMEOUT)";
            case REFERENCED -> "other sets or rules refer to the set (IPSET_ERR_REFERENCED)";
            case 4109 -> "the set holds IPv4, the entry does not (IPSET_ERR_IPADDR_IPV4)";
            case 4110 -> "the set holds IPv6, the entry does not (IPSET_ERR_IPADDR_IPV6)";
            default -> "";
        };
    }

    /// What an error number of one type says, or the empty string for those of all types.
    static String words(int errno, IpsetType type) {
        int number = errno - TYPE_SPECIFIC;
        if (number < 0) {
            return words(errno);
        }
        return switch (type) {
            case BITMAP_PORT ->
                    switch (number) {
                        case 0 -> "the port is outside of the set's range (IPSET_ERR_BITMAP_RANGE)";
                        case 1 -> "the range is too large (IPSET_ERR_BITMAP_RANGE_SIZE)";
                        default -> "";
                    };
            case HASH_IP,
                    HASH_IP_PORT,
                    HASH_IP_PORT_IP,
                    HASH_IP_PORT_NET,
                    HASH_NET_PORT,
                    HASH_NET_NET ->
                    switch (number) {
                        case 0 -> "the set is full: it has maxelem entries (IPSET_ERR_HASH_FULL)";
                        case 1 -> "the entry is empty (IPSET_ERR_HASH_ELEM)";
                        case 2 ->
                                "the protocol has no ports or does not exist"
                                        + " (IPSET_ERR_INVALID_PROTO)";
                        case 3 -> "the entry has no protocol (IPSET_ERR_MISSING_PROTO)";
                        case 4 -> "ranges are not possible (IPSET_ERR_HASH_RANGE_UNSUPPORTED)";
                        case 5 -> "the range is not possible (IPSET_ERR_HASH_RANGE)";
                        default -> "";
                    };
        };
    }
}
