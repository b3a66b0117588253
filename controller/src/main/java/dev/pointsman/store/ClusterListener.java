package dev.pointsman.store;

/// Hears what a source has to say about the cluster.
///
/// May be called from several threads at once, but never from two about the same kind of object, so
/// the order of events about one object is kept. Must not block for long: a slow listener holds up
/// its source.
public interface ClusterListener {
    void event(ClusterEvent event);

    void finding(Finding finding);

    /// All Services and all EndpointSlices that there were at the start have been told. Called
    /// once; before it, nothing may be written to the kernel, because Services would lack
    /// endpoints.
    void synced();
}
