package dev.pointsman.netlink;

/// One change of the addresses of interfaces.
public sealed interface LinkCommand {
    LinkAddress address();

    /// As in `add address 10.96.0.1/32 to link 7`.
    default String text() {
        return switch (this) {
            case AddAddress(var address) ->
                    "add address " + address.text() + " to link " + address.link();
            case DeleteAddress(var address) ->
                    "delete address " + address.text() + " from link " + address.link();
        };
    }

    record AddAddress(LinkAddress address) implements LinkCommand {}

    record DeleteAddress(LinkAddress address) implements LinkCommand {}
}
