package dev.pointsman.packet.netfilter;

/// What a packet carries behind its addresses.
public sealed interface Transport {
    int TCP = 6;
    int UDP = 17;
    int ICMP = 1;
    int ICMPV6 = 58;
    int SCTP = 132;

    /// The IANA number.
    int protocol();

    /// What an answer carries.
    Transport answer();

    /// TCP, UDP, SCTP, DCCP or UDP-Lite.
    record Ported(int protocol, int source, int destination) implements Transport {
        public Ported {
            if (source < 0 || source > 65535 || destination < 0 || destination > 65535) {
                throw new IllegalArgumentException(source + " or " + destination + " is no port");
            }
        }

        @Override
        public Ported answer() {
            return new Ported(protocol, /* source= */ destination, /* destination= */ source);
        }

        @Override
        public String toString() {
            return source + " -> " + destination;
        }
    }

    record Icmp(int protocol, int type, int code) implements Transport {
        private static final int ECHO_REQUEST = 8;
        private static final int ECHO_REPLY = 0;
        private static final int ECHO_REQUEST_6 = 128;
        private static final int ECHO_REPLY_6 = 129;

        public static Icmp echoRequest() {
            return new Icmp(ICMP, ECHO_REQUEST, 0);
        }

        public static Icmp echoRequest6() {
            return new Icmp(ICMPV6, ECHO_REQUEST_6, 0);
        }

        /// Whether conntrack makes an entry for it (nf_conntrack_proto_icmp.c, `valid_new`; the
        /// outdated kinds of request are left out).
        boolean isRequest() {
            return switch (protocol) {
                case ICMP -> type == ECHO_REQUEST;
                case ICMPV6 -> type == ECHO_REQUEST_6;
                default -> false;
            };
        }

        /// Router and neighbour messages, which conntrack leaves alone (nf_conntrack_icmpv6.c,
        /// `noct_valid_new`).
        boolean isUntracked() {
            return protocol == ICMPV6 && (type >= 130 && type <= 137 || type == 143);
        }

        @Override
        public Icmp answer() {
            return switch (protocol) {
                case ICMP -> new Icmp(ICMP, other(ECHO_REQUEST, ECHO_REPLY), code);
                case ICMPV6 -> new Icmp(ICMPV6, other(ECHO_REQUEST_6, ECHO_REPLY_6), code);
                default -> this;
            };
        }

        private int other(int request, int reply) {
            return type == request ? reply : type == reply ? request : type;
        }
    }

    /// A protocol without ports.
    record Bare(int protocol) implements Transport {
        @Override
        public Bare answer() {
            return this;
        }
    }
}
