package dev.pointsman.packet.read;

import dev.pointsman.graph.Family;
import dev.pointsman.packet.netfilter.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `NAME src,dst`: an ipset and which end of a packet each of its fields is compared with.
///
/// @param key empty where packets of this family never match: the set is of the other one, or has
///   more fields than directions are given
record SetDirections(Ipsets.Ipset.Understood ipset, Optional<Operand> key) {

    /// Reads the next two words.
    ///
    /// @throws NotUnderstood where the set is not known or opaque
    static SetDirections of(SavedLine line, Family family, Ipsets ipsets) {
        String name = line.next("an ipset");
        String[] directions = line.next("directions").split(",", -1);
        for (String direction : directions) {
            if (!direction.equals("src") && !direction.equals("dst")) {
                throw line.wrong("src or dst");
            }
        }
        Ipsets.Ipset found = ipsets.sets().get(name);
        if (found == null) {
            throw new NotUnderstood("ipset " + name + ", which is not among those read");
        }
        return switch (found) {
            case Ipsets.Ipset.Opaque(String why) ->
                    throw new NotUnderstood("ipset " + name + ", " + why);
            case Ipsets.Ipset.Understood understood ->
                    new SetDirections(
                            understood,
                            understood.scope().covers(family)
                                            && directions.length >= understood.fields().size()
                                    ? Optional.of(key(understood.fields(), directions, family))
                                    : Optional.empty());
        };
    }

    private static Operand key(List<Ipsets.Field> fields, String[] directions, Family family) {
        List<Operand> operands = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            boolean source = directions[i].equals("src");
            Operand.Field port =
                    source ? Operand.Field.SOURCE_PORT : Operand.Field.DESTINATION_PORT;
            switch (fields.get(i)) {
                case ADDRESS ->
                        operands.add(
                                new Operand.Address(
                                        family,
                                        source ? Operand.End.SOURCE : Operand.End.DESTINATION));
                case PORT -> {
                    operands.add(Operand.Field.PROTOCOL);
                    operands.add(port);
                }
                case BARE_PORT -> operands.add(port);
                case INTERFACE ->
                        operands.add(
                                source ? Operand.Field.IN_INTERFACE : Operand.Field.OUT_INTERFACE);
                case MARK -> operands.add(Operand.Field.MARK);
            }
        }
        return operands.size() == 1 ? operands.getFirst() : new Operand.Concatenation(operands);
    }
}
