package dev.pointsman.packet.netfilter;

/// What conntrack knows of the packet at hand.
public sealed interface Tracking {
    // Bits of `ct state` (NF_CT_STATE_BIT in nf_conntrack_common.h).
    int INVALID_BIT = 1;
    int ESTABLISHED_BIT = 1 << 1;
    int RELATED_BIT = 1 << 2;
    int NEW_BIT = 1 << 3;
    int UNTRACKED_BIT = 1 << 6;
    // What iptables has beside them (xt_conntrack.h, `XT_CONNTRACK_STATE_SNAT`).
    int SOURCE_TRANSLATED_BIT = 1 << 7;
    int DESTINATION_TRANSLATED_BIT = 1 << 8;

    /// It has not been there yet: such a packet counts as invalid (nft_ct.c, `nft_ct_get_eval`).
    record Unseen() implements Tracking {}

    record Untracked() implements Tracking {}

    record Invalid() implements Tracking {}

    record Tracked(Connection connection, Direction direction) implements Tracking {
        Tracked with(Connection changed) {
            return new Tracked(changed, direction);
        }
    }

    enum Direction {
        ORIGINAL,
        REPLY;

        /// As `ct direction` has it (`enum ip_conntrack_dir`).
        public long number() {
            return switch (this) {
                case ORIGINAL -> 0;
                case REPLY -> 1;
            };
        }
    }

    /// Untracked and expected connections are none of the model's; UDP without an answer stays new.
    default int state() {
        return switch (this) {
            case Unseen _, Invalid _ -> INVALID_BIT;
            case Untracked _ -> UNTRACKED_BIT;
            case Tracked(var connection, _) ->
                    connection.has(Connection.SEEN_REPLY) ? ESTABLISHED_BIT : NEW_BIT;
        };
    }

    /// The state, with bits for translations (xt_conntrack.c, `conntrack_mt`).
    default int stateAndTranslation() {
        int state = state();
        if (this instanceof Tracked(var connection, _)) {
            state |= connection.has(Connection.SOURCE_TRANSLATED) ? SOURCE_TRANSLATED_BIT : 0;
            state |=
                    connection.has(Connection.DESTINATION_TRANSLATED)
                            ? DESTINATION_TRANSLATED_BIT
                            : 0;
        }
        return state;
    }
}
