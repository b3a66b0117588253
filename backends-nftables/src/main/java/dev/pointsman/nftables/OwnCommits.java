package dev.pointsman.nftables;

import dev.pointsman.netlink.NftAnswer;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftSocket;

/// What the dataplanes of both families committed in one network namespace, on one thread.
/// nf_tables counts the commits of everybody in one generation, whatever table or family they are
/// for: without this count, each family would take the commits of the other for somebody else's.
final class OwnCommits {
    private long applied;

    NftAnswer commit(NftSocket socket, NftBatch batch) {
        NftAnswer answer = socket.commit(batch);
        if (answer instanceof NftAnswer.Done) {
            applied++;
        }
        return answer;
    }

    /// How often others committed, from an unknown start.
    long others(NftSocket socket) {
        return socket.generation() - applied;
    }
}
