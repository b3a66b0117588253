package dev.pointsman.store;

/// Hears what a source has to say about the cluster.
///
/// May be called from several threads at once, but never from two about the same kind of object, so
/// the order of events about one object is kept. Must not block for long: a slow listener holds up
/// its source.
public interface ClusterListener {
    void event(ClusterEvent event);

    void finding(Finding finding);

    /// All Services, all EndpointSlices and this machine's Node, if there is one, have been told as
    /// they were at the start. Called once; before it, nothing may be written to the kernel,
    /// because Services would lack endpoints, and a Node that was not told may be there.
    void synced();
}
