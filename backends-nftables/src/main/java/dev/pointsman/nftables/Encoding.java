package dev.pointsman.nftables;

import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftChain;
import dev.pointsman.netlink.NftRule;

/// Batches as the kernel takes them.
final class Encoding {
    private static final String TABLE = NftablesDataplane.TABLE;
    private static final byte[] NO_USERDATA = {};

    private Encoding() {}

    /// The batch with each operation as the subject of what it writes.
    static NftBatch of(Batch batch, Family family) {
        NftBatch out = new NftBatch(RuleCode.family(family));
        int id = 0;
        for (Operation operation : batch.operations()) {
            switch (operation) {
                case Operation.AddTable _ -> out.addTable(TABLE, operation);
                case Operation.DeleteTable _ -> out.deleteTable(TABLE, operation);
                case Operation.AddSet(var set, _) ->
                        out.addSet(set.encoded(family, ++id), operation);
                case Operation.DeleteSet(String name, _) -> out.deleteSet(TABLE, name, operation);
                case Operation.AddChain(var chain, _) ->
                        out.addChain(new NftChain(TABLE, chain.name(), chain.hook()), operation);
                case Operation.DeleteChain(String name, _) ->
                        out.deleteChain(TABLE, name, operation);
                case Operation.FlushChain(String name, _) -> out.flushChain(TABLE, name, operation);
                case Operation.AddRule(String chain, var rule, _) ->
                        out.addRule(encoded(chain, rule, family), operation);
                case Operation.AddElement(var set, var content, _) ->
                        out.addElement(TABLE, set.name(), content, operation);
                case Operation.DeleteElement(var set, var content, _) ->
                        out.deleteElement(TABLE, set.name(), content, operation);
            }
        }
        return out;
    }

    static NftRule encoded(String chain, Rule rule, Family family) {
        return new NftRule(TABLE, chain, RuleCode.of(rule, family), NO_USERDATA);
    }
}
