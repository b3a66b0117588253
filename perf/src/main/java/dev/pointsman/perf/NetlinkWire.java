package dev.pointsman.perf;

import dev.pointsman.dataplane.Transaction;
import dev.pointsman.netlink.NftAnswer;
import dev.pointsman.netlink.NftBatch;
import dev.pointsman.netlink.NftSocket;
import dev.pointsman.nftables.NftablesTransaction;
import java.util.List;

/// Batches of netlink messages, sent one after the other with nothing between them.
record NetlinkWire(NftSocket socket) implements Wire {
    static NetlinkWire open() {
        return new NetlinkWire(NftSocket.open());
    }

    @Override
    public Runnable encode(Transaction transaction) {
        if (!(transaction instanceof NftablesTransaction nftables)) {
            throw new IllegalStateException("no nftables transaction: " + transaction.getClass());
        }
        List<NftBatch> batches = nftables.encoded();
        return () -> batches.forEach(this::send);
    }

    private void send(NftBatch batch) {
        NftAnswer answer = socket.commit(batch);
        if (!(answer instanceof NftAnswer.Done)) {
            throw new IllegalStateException("the kernel did not take the batch: " + answer);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
