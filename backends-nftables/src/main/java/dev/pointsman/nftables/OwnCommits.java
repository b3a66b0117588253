package dev.pointsman.nftables;

import dev.pointsman.netlink.NftAnswer;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftSocket;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/// What the dataplanes of both families committed in one network namespace. nf_tables counts the
/// commits of everybody in one generation, whatever table or family they are for: without this
/// count, each family would take the commits of the other for somebody else's.
final class OwnCommits {
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong applied = new AtomicLong();

    NftAnswer commit(NftSocket socket, NftBatch batch) {
        begun.incrementAndGet();
        try {
            NftAnswer answer = socket.commit(batch);
            if (answer instanceof NftAnswer.Done) {
                applied.incrementAndGet();
            }
            return answer;
        } finally {
            ended.incrementAndGet();
        }
    }

    /// How often others committed, from an unknown start. Unknown while a commit of ours is
    /// underway, which the generation may or may not count already.
    OptionalLong others(NftSocket socket) {
        long before = begun.get();
        if (ended.get() != before) {
            return OptionalLong.empty();
        }
        long own = applied.get();
        long generation = socket.generation();
        return begun.get() == before ? OptionalLong.of(generation - own) : OptionalLong.empty();
    }
}
