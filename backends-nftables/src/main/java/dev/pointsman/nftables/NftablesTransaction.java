package dev.pointsman.nftables;

import dev.pointsman.dataplane.Transaction;
import dev.pointsman.graph.RuleGraph;
import dev.pointsman.netlink.NftBatch;
import java.io.IOException;
import java.util.List;

/// Batches that are committed one after the other.
///
/// Public for those who measure what the kernel alone takes; all others use [Transaction].
public record NftablesTransaction(RuleGraph target, List<Batch> batches) implements Transaction {
    public NftablesTransaction {
        batches = List.copyOf(batches);
    }

    /// The batches as netlink messages, in the order in which they must be committed.
    public List<NftBatch> encoded() {
        return batches.stream().map(batch -> Encoding.of(batch, target.family())).toList();
    }

    @Override
    public Size size() {
        int rules = 0;
        int elements = 0;
        for (Batch batch : batches) {
            for (Operation operation : batch.operations()) {
                switch (operation) {
                    case Operation.AddElement _, Operation.DeleteElement _ -> elements++;
                    case Operation.AddTable _,
                            Operation.DeleteTable _,
                            Operation.AddSet _,
                            Operation.DeleteSet _,
                            Operation.AddChain _,
                            Operation.DeleteChain _,
                            Operation.FlushChain _,
                            Operation.AddRule _ ->
                            rules++;
                }
            }
        }
        return new Size(rules, elements);
    }

    @Override
    public void print(Appendable out) throws IOException {
        Script.print(batches, target.family(), out);
    }
}
