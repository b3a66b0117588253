package dev.pointsman.nftables;

import dev.pointsman.dataplane.Commit;
import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Leftovers;
import dev.pointsman.graph.Family;
import dev.pointsman.netlink.NetlinkException;
import dev.pointsman.netlink.NftAnswer;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftSocket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Our table and kube-proxy's, each of which holds all that its owner wrote.
final class TableLeftovers {
    private static final Map<Leftovers.Maker, String> TABLES =
            new EnumMap<>(
                    Map.of(
                            Leftovers.Maker.POINTSMAN,
                            NftablesDataplane.TABLE,
                            Leftovers.Maker.KUBE_PROXY,
                            "kube-proxy"));

    private TableLeftovers() {}

    static List<Leftovers> look(Family family) {
        try {
            return ask(family, socket -> look(family, socket));
        } catch (DataplaneUnavailable e) {
            return List.of(new Leftovers.Unreadable(e));
        }
    }

    private static List<Leftovers> look(Family family, NftSocket socket) {
        List<Leftovers> all = new ArrayList<>();
        TABLES.forEach(
                (maker, table) -> {
                    if (socket.table(RuleCode.family(family), table).isPresent()) {
                        all.add(
                                new Leftovers.Found(
                                        "nft",
                                        maker,
                                        List.of("table " + Field.ip(family) + " " + table),
                                        () -> ask(family, open -> delete(family, table, open))));
                    }
                });
        return all;
    }

    private static Commit delete(Family family, String table, NftSocket socket) {
        var batch = new NftBatch(RuleCode.family(family));
        batch.deleteTable(table, table);
        return switch (socket.commit(batch)) {
            case NftAnswer.Done() -> new Commit.Applied();
            case NftAnswer.Refused refused -> Refusal.of(refused, family);
        };
    }

    private static <T> T ask(Family family, Function<NftSocket, T> question) {
        try (NftSocket socket = NftSocket.open()) {
            return question.apply(socket);
        } catch (NetlinkException e) {
            throw NftablesDataplane.unavailable(family, e);
        }
    }
}
