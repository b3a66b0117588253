package dev.pointsman.netlink;

/// A chain of rules: a named place to jump to, or a base chain that the kernel itself calls.
public record NftChain(String table, String name, Hook hook) {

    /// Where the kernel calls a chain from.
    public sealed interface Hook {
        /// From nowhere: only rules jump here.
        record None() implements Hook {}

        /// From a netfilter hook of the table's family.
        ///
        /// @param type `filter`, `nat` or `route`
        /// @param hooknum `NF_INET_*` of `linux/netfilter.h`
        /// @param priority order among the chains of the hook, low first
        record Base(String type, int hooknum, int priority, Policy policy) implements Hook {}
    }

    /// What happens to a packet that reaches the end of a base chain.
    public enum Policy {
        DROP(0),
        ACCEPT(1);

        private final int number;

        Policy(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        static Policy of(int number) {
            return number == 0 ? DROP : ACCEPT;
        }
    }
}
