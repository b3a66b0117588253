package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;
import java.util.Optional;

/// `-j CONNMARK` (xt_connmark.c).
final class ConnmarkTarget implements SavedPart {
    /// What is done.
    private enum Action {
        SET,
        SAVE,
        RESTORE
    }

    private Action action = Action.SET;
    private MarkChange change = new MarkChange(MarkMask.ALL, 0);
    private long connectionMask = MarkMask.ALL;
    private long packetMask = MarkMask.ALL;

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        Optional<MarkChange> said = MarkChange.of(option, line);
        if (said.isPresent()) {
            change = said.get();
            return true;
        }
        switch (option) {
            case "--save-mark" -> action = Action.SAVE;
            case "--restore-mark" -> action = Action.RESTORE;
            case "--ctmask" -> connectionMask = line.number(MarkMask.ALL);
            case "--nfmask" -> packetMask = line.number(MarkMask.ALL);
            case "--mask" -> {
                connectionMask = line.number(MarkMask.ALL);
                packetMask = connectionMask;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Step> steps() {
        Operand.Field packet = Operand.Field.MARK;
        Operand.Field connection = Operand.Field.CONNECTION_MARK;
        return List.of(
                switch (action) {
                    case SET -> new Step.Assign(Step.Mark.CONNECTION, change.of(connection));
                    case SAVE ->
                            new Step.Assign(
                                    Step.Mark.CONNECTION,
                                    mixed(connection, connectionMask, packet, packetMask));
                    case RESTORE ->
                            new Step.Assign(
                                    Step.Mark.PACKET,
                                    mixed(packet, packetMask, connection, connectionMask));
                });
    }

    /// `target & ~cleared ^ source & taken`.
    private static Operand mixed(Operand target, long cleared, Operand source, long taken) {
        return new Operand.Mixed(
                new MarkChange(cleared, 0).of(target),
                new MarkChange(~taken & MarkMask.ALL, 0).of(source));
    }
}
