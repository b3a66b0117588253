package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// A match or the target of a rule while its options are read.
interface SavedPart {
    /// Takes `option`, of which name and sense are read, if it is one of this part.
    ///
    /// @throws NotUnderstood for one whose meaning the model does not have
    boolean takes(String option, Sense sense, SavedLine line);

    List<Step> steps();
}
