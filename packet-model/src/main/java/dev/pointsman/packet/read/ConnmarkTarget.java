package dev.pointsman.packet.read;

import dev.pointsman.packet.netfilter.Operand;
import dev.pointsman.packet.netfilter.Step;
import dev.pointsman.packet.netfilter.Step.Sense;
import java.util.List;

/// `-j CONNMARK` (xt_connmark.c).
final class ConnmarkTarget implements SavedPart {
    /// What is done.
    private enum Action {
        SET,
        SAVE,
        RESTORE
    }

    private Action action = Action.SET;
    private long value;
    private long connectionMask = MarkMask.ALL;
    private long packetMask = MarkMask.ALL;

    @Override
    public boolean takes(String option, Sense sense, SavedLine line) {
        switch (option) {
            case "--set-xmark" -> {
                MarkMask mark = MarkMask.of(line);
                set(mark.mask(), mark.value());
            }
            case "--set-mark" -> {
                MarkMask mark = MarkMask.of(line);
                set(mark.mask() | mark.value(), mark.value());
            }
            case "--and-mark" -> set(~line.number(MarkMask.ALL), 0);
            case "--or-mark" -> {
                long bits = line.number(MarkMask.ALL);
                set(bits, bits);
            }
            case "--xor-mark" -> set(0, line.number(MarkMask.ALL));
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

    private void set(long cleared, long turned) {
        connectionMask = cleared & MarkMask.ALL;
        value = turned;
    }

    @Override
    public List<Step> steps() {
        Operand.Field packet = Operand.Field.MARK;
        Operand.Field connection = Operand.Field.CONNECTION_MARK;
        return List.of(
                switch (action) {
                    case SET ->
                            new Step.Assign(
                                    Step.Mark.CONNECTION,
                                    MarkTarget.changed(connection, connectionMask, value));
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
                MarkTarget.changed(target, cleared, 0),
                MarkTarget.changed(source, ~taken & MarkMask.ALL, 0));
    }
}
