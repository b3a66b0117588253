package dev.pointsman.netlink;

/// One change of the kernel's table of virtual servers.
public sealed interface IpvsCommand {
    /// The virtual server that it is about.
    IpvsService.Key key();

    /// As in `add real server 10.0.0.1:6443 of tcp 10.96.0.1:443`.
    default String text() {
        return switch (this) {
            case AddService _ -> "add virtual server " + key().text();
            case EditService _ -> "edit virtual server " + key().text();
            case DeleteService _ -> "delete virtual server " + key().text();
            case AddDestination(_, var destination) ->
                    "add real server " + destination.key().text() + " of " + key().text();
            case EditDestination(_, var destination) ->
                    "edit real server " + destination.key().text() + " of " + key().text();
            case DeleteDestination(_, var destination) ->
                    "delete real server " + destination.text() + " of " + key().text();
        };
    }

    record AddService(IpvsService service) implements IpvsCommand {
        @Override
        public IpvsService.Key key() {
            return service.key();
        }
    }

    /// Changes everything but the key; connections and real servers stay.
    record EditService(IpvsService service) implements IpvsCommand {
        @Override
        public IpvsService.Key key() {
            return service.key();
        }
    }

    /// Deletes a virtual server with its real servers.
    record DeleteService(IpvsService.Key key) implements IpvsCommand {}

    record AddDestination(IpvsService.Key key, IpvsDestination destination)
            implements IpvsCommand {}

    /// Changes everything but the key; connections stay.
    record EditDestination(IpvsService.Key key, IpvsDestination destination)
            implements IpvsCommand {}

    record DeleteDestination(IpvsService.Key key, IpvsDestination.Key destination)
            implements IpvsCommand {}
}
