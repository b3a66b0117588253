/// An API server in memory: lists and watches of Services, EndpointSlices, Nodes and ServiceCIDRs
/// as kube-apiserver gives them, to any number of proxies, from a [Store] that someone else writes.
/// The only package of this module that knows netty.
@NullMarked
package dev.pointsman.perf.api;

import org.jspecify.annotations.NullMarked;
