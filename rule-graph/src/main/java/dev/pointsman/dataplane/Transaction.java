package dev.pointsman.dataplane;

import dev.pointsman.graph.RuleGraph;
import java.io.IOException;
import java.io.UncheckedIOException;

/// A rendered change, not yet applied, in the native form of one backend.
public interface Transaction {

    /// What is written: a transaction of size 0 is not sent.
    ///
    /// @param rules rules, chains, sets and the like, added or deleted
    /// @param elements map and set elements added or deleted
    record Size(int rules, int elements) {
        public boolean isEmpty() {
            return rules == 0 && elements == 0;
        }
    }

    /// The graph that the kernel holds once this is applied.
    RuleGraph target();

    Size size();

    /// Prints the change in the language of the kernel's own tool; that tool, fed with the text,
    /// does what [Dataplane#commit] does.
    void print(Appendable out) throws IOException;

    /// The printed form as one string, for small transactions.
    default String text() {
        StringBuilder text = new StringBuilder();
        try {
            print(text);
        } catch (IOException e) {
            throw new UncheckedIOException("a StringBuilder does not fail", e);
        }
        return text.toString();
    }
}
