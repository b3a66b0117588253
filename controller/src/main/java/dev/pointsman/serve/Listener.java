package dev.pointsman.serve;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import java.net.InetSocketAddress;

/// A port that is open, with the connections that came in by it.
///
/// @param address with the port that the kernel chose where any would do
record Listener(Channel channel, ChannelGroup connections, InetSocketAddress address) {
    /// Takes no further connection and ends those there are.
    void close() {
        ChannelFuture _ = channel.close();
        ChannelGroupFuture _ = connections.close();
    }
}
