package dev.pointsman.ipvs;

import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.RuleGraph;
import java.io.IOException;
import java.util.List;

/// Operations in the order in which they are carried out.
record IpvsTransaction(RuleGraph target, List<Operation> operations) implements Transaction {
    IpvsTransaction {
        operations = List.copyOf(operations);
    }

    @Override
    public Size size() {
        int rules = 0;
        int elements = 0;
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.Rules(var restore) -> rules += restore.size();
                case Operation.ReplaceSet(_, var members) -> elements += 1 + members.size();
                case Operation.OfSets _, Operation.OfServers _, Operation.OfAddresses _ ->
                        elements++;
            }
        }
        return new Size(rules, elements);
    }

    @Override
    public void print(Appendable out) throws IOException {
        new Script(target.family(), out).print(operations);
    }
}
