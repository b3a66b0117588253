package dev.pointsman.packet.verify;

import dev.pointsman.packet.netfilter.Range;

/// What one element, or one rule, says of a packet all at once; [Range#ANY] where it says nothing.
record Mention(Range source, Range destination, Range protocol, Range port) {
    static final Mention NOTHING = new Mention(Range.ANY, Range.ANY, Range.ANY, Range.ANY);

    boolean namesOneDestination() {
        return destination.isSingle() && !port.equals(Range.ANY);
    }

    Mention with(Dimension dimension, Range range) {
        return switch (dimension) {
            case SOURCE -> new Mention(range, destination, protocol, port);
            case DESTINATION -> new Mention(source, range, protocol, port);
            case PROTOCOL -> new Mention(source, destination, range, port);
            case PORT -> new Mention(source, destination, protocol, range);
        };
    }

    /// The fields of a flow.
    enum Dimension {
        SOURCE,
        DESTINATION,
        PROTOCOL,
        PORT
    }
}
