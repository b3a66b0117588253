package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// A match that the model does not have: it depends on other packets, on sockets, on the clock on
/// the wall, or nobody has needed it yet.
final class OpaquePart implements SavedPart {
    private String text;

    /// @param text as far as it is read
    OpaquePart(String text) {
        this.text = text;
    }

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        int start = line.place() - 1;
        while (line.hasNext() && !line.isAtOption()) {
            line.next("a word");
        }
        text =
                text
                        + switch (sense) {
                            case IS -> " ";
                            case IS_NOT -> " ! ";
                        }
                        + line.slice(start);
        return true;
    }

    @Override
    public List<Step> steps() {
        return List.of(new Step.Unknown(text));
    }
}
