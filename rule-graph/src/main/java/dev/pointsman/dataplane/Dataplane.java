package dev.pointsman.dataplane;

import dev.pointsman.graph.Delta;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.graph.Settings;

/// One way to program the kernel that this thread runs on, for one family. Nothing is opened before
/// the first [#prepare], [#commit] or [#repair], so that rules can be rendered without root and
/// without a kernel.
///
/// Law: applying `render(a, delta(a, b))` to the compiled form of `a` gives the compiled form of
/// `b`, for any `a` and `b` and any split of the delta.
public interface Dataplane extends AutoCloseable {

    /// Sets what the rules of `settings` want of the node beside them, as far as that takes more
    /// rights than writing rules: kernel settings and modules. What is set already stays as it is.
    ///
    /// @throws DataplaneUnavailable when it cannot be had
    default void prepare(Settings settings) {}

    /// What takes the kernel from `from` to the graph that `delta` makes of it. Pure: no I/O, the
    /// same arguments give the same bytes. `from` may be [RuleGraph#nothing], and so may the
    /// result: the transaction then installs or removes the fixed part as well.
    Transaction render(RuleGraph from, Delta delta);

    /// Writes rules; the only call that does. The transaction must come from this dataplane.
    ///
    /// @throws DataplaneUnavailable when the kernel cannot be reached at all
    Commit commit(Transaction transaction);

    /// Reads the kernel; the only call that does. What takes the kernel, as it is now, to
    /// `desired`: empty when it already holds that. Whatever the kernel holds in a usable other
    /// order stays as it is, and [Transaction#target] says so.
    ///
    /// @throws DataplaneUnavailable when the kernel cannot be reached at all
    Transaction repair(RuleGraph desired);

    /// What a cheap look tells of the kernel since the last [#commit] or [#repair].
    enum Condition {
        /// Nobody changed anything.
        INTACT,
        /// Somebody changed rules in this kernel. Whether ours are among them only [#repair] can
        /// tell.
        DISTURBED,
        /// Our part was removed or replaced as a whole, or objects in it came or went.
        DAMAGED
    }

    /// A look at the kernel that is cheap enough to be taken several times a second.
    ///
    /// @throws DataplaneUnavailable when the kernel cannot be reached at all
    Condition condition();

    @Override
    void close();
}
