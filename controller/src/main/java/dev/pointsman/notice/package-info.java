/// What the operator of a cluster must know, as Events on the objects that it is about: what to say
/// (`Notice`), when to say it (`NoticeLedger`). How it gets to the API server is the business of
/// `kube`.
@NullMarked
package dev.pointsman.notice;

import org.jspecify.annotations.NullMarked;
