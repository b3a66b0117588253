package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftSet;
import dev.pointsman.netlink.NftTypeof;
import java.time.Duration;
import java.util.Set;

/// A set or map of ours.
///
/// @param key what its elements are kept under
record NamedSet(String name, Key key, Kind kind, Role role) {

    /// What an element says about its key.
    enum Kind {
        /// That it is there.
        MEMBERS,
        /// That everything up to the element's second key is there.
        RANGES,
        /// Where the packet goes next.
        VERDICTS,
        /// The address and port to send it to.
        ENDPOINTS,
        /// That the kernel saw it lately; only packets write it.
        MEMORY
    }

    /// When a packet looks into the set, which decides when its elements may be written: never may
    /// a packet that sees a new element here still miss what a later look-up of it needs.
    enum Role {
        /// Looked into by a packet that an earlier look-up sent there: filled before and emptied
        /// after.
        FOLLOWED,
        /// As `FOLLOWED`; elements of one Frontend exclude each other.
        FOLLOWED_RANGES,
        /// Looked into before all others, to keep some packets out: in place before anything lets
        /// them in.
        FENCING,
        /// Looked into before [#DECIDING] with another answer for some packets: in place before it
        /// changes.
        PRECEDING,
        /// The look-up that decides about a connection.
        DECIDING,
        /// Looked into by packets that no translation was found for, and tells what the decision
        /// is: in place as long as it may be met.
        REMAINING,
        /// As `REMAINING`, and tells what else not to let through: in place only while there is
        /// another decision.
        GUARDING
    }

    private static final int MEMORY_SIZE = 65535;

    /// Never empty: the type of a set is told by the batch that makes it.
    NftSet encoded(Family family, int id) {
        Set<NftSet.Flag> flags =
                switch (kind) {
                    case MEMBERS, VERDICTS, ENDPOINTS -> Set.of();
                    case RANGES -> Set.of(NftSet.Flag.INTERVAL);
                    case MEMORY -> Set.of(NftSet.Flag.EVAL, NftSet.Flag.TIMEOUT);
                };
        NftSet set = type(family).named(NftablesDataplane.TABLE, name, flags, id);
        return kind == Kind.MEMORY ? set.sized(MEMORY_SIZE) : set;
    }

    private NftTypeof type(Family family) {
        return switch (kind) {
            case MEMBERS, RANGES, MEMORY -> NftTypeof.set(key.types(family));
            case VERDICTS -> NftTypeof.verdictMap(key.types(family));
            case ENDPOINTS -> NftTypeof.map(key.types(family), Key.ENDPOINT.types(family));
        };
    }

    /// `set` or `map`.
    String keyword() {
        return switch (kind) {
            case MEMBERS, RANGES, MEMORY -> "set";
            case VERDICTS, ENDPOINTS -> "map";
        };
    }

    /// The declaration in lines, without its elements.
    String declaration(Family family, String separator) {
        String typeof = "typeof " + key.text(family);
        return switch (kind) {
            case MEMBERS -> typeof;
            case RANGES -> typeof + separator + "flags interval";
            case VERDICTS -> typeof + " : verdict";
            case ENDPOINTS -> typeof + " : " + Key.ENDPOINT.text(family);
            case MEMORY ->
                    typeof
                            + separator
                            + "size "
                            + MEMORY_SIZE
                            + separator
                            + "flags dynamic,timeout";
        };
    }

    /// Whether the kernel holds this set: everything that decides how it works. What nft keeps with
    /// a set for printing it may differ by nft's version.
    boolean isHeldAs(NftSet found, Family family) {
        NftSet wanted = encoded(family, 1);
        return wanted.keyLength() == found.keyLength()
                && wanted.keyType() == found.keyType()
                && wanted.flags().equals(found.flags())
                && wanted.value().equals(found.value())
                && wanted.size() == found.size()
                && found.timeout().equals(Duration.ZERO);
    }
}
