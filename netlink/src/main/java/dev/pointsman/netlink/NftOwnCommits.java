package dev.pointsman.netlink;

/// What this process committed to nf_tables in one network namespace, on one thread, itself and
/// through programs. nf_tables counts the commits of everybody in one generation, whatever table or
/// family they are for: without this count, each family would take the commits of the other for
/// somebody else's.
public final class NftOwnCommits {
    private long applied;

    /// Commits and counts `batch`.
    public NftAnswer commit(NftSocket socket, NftBatch batch) {
        NftAnswer answer = socket.commit(batch);
        if (answer instanceof NftAnswer.Done) {
            applied++;
        }
        return answer;
    }

    /// Counts `commits` that a program made for us. One too few or too many shows as a commit of
    /// others.
    public void count(int commits) {
        applied += commits;
    }

    /// How often others committed, from an unknown start.
    public long others(NftSocket socket) {
        return socket.generation() - applied;
    }
}
