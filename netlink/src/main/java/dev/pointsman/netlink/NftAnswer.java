package dev.pointsman.netlink;

import java.util.List;

/// How the kernel answered a batch.
public sealed interface NftAnswer {
    /// All of it is in effect.
    record Done() implements NftAnswer {}

    /// None of it is in effect.
    ///
    /// @param errnoName such as `ENOENT`
    /// @param kernelText the kernel's own words, empty when it gave none
    /// @param subjects who asked for what was refused: one object when the kernel told which
    ///   operation it was, all objects of the refused message when it did not; never empty
    /// @param operation the refused operation in words
    record Refused(
            int errno, String errnoName, String kernelText, List<Object> subjects, String operation)
            implements NftAnswer {
        public Refused {
            subjects = List.copyOf(subjects);
            if (subjects.isEmpty()) {
                throw new IllegalArgumentException("a refusal without a subject: " + operation);
            }
        }

        /// The one object that was refused, if [#exact()]; else the first of those that may have
        /// been.
        public Object subject() {
            return subjects.getFirst();
        }

        /// Whether the one object is known that was refused.
        public boolean exact() {
            return subjects.size() == 1;
        }
    }
}
