package dev.pointsman.dataplane;

import java.util.List;
import java.util.Locale;

/// What a look at one part of the kernel found of what Service proxies leave there.
public sealed interface Leftovers {

    /// Who made an object.
    enum Maker {
        POINTSMAN,
        KUBE_PROXY,
        /// Both use it, and nothing tells who wrote it last: it goes only with what both left.
        EITHER;

        /// As people write it.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// Objects that go together.
    ///
    /// @param place what shows them, such as `iptables-nft IPv4`
    /// @param objects each in the words of that program, such as `chain nat KUBE-SERVICES`
    record Found(String place, Maker maker, List<String> objects, Removal removal)
            implements Leftovers {
        public Found {
            objects = List.copyOf(objects);
        }
    }

    /// Objects that the maker may have made, but that nothing tells from those of other people.
    ///
    /// @param objects what they are and what they may be, in words
    /// @param remedy what an operator who knows them removes them with
    record Staying(Maker maker, String objects, String remedy) implements Leftovers {}

    /// Nobody can tell what is there.
    record Unreadable(DataplaneUnavailable why) implements Leftovers {}

    /// Writes the kernel.
    interface Removal {
        /// Removes what was found.
        ///
        /// @throws DataplaneUnavailable when the kernel cannot be reached at all
        Commit remove();
    }
}
