package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PortTest {
    private final HttpThread http = new HttpThread(Limits.DEFAULT);
    private final Alarm alarm = new Alarm();
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void a_port_that_is_taken_is_tried_again_every_five_seconds() throws Exception {
        InetSocketAddress at;
        Port port;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            at = new InetSocketAddress(other.getInetAddress(), other.getLocalPort());
            port = new Port("healthz", at, _ -> Answer.text(200, "ok"), http, alarm, log::add);
            port.keepTrying(port.open().orElseThrow());
            alarm.passes(Port.RETRY);
            alarm.passes(Port.RETRY);
        }
        assertThat(log)
                .hasSize(3)
                .allMatch(
                        line ->
                                line.equals(
                                        "cannot serve healthz at 127.0.0.1:"
                                                + at.getPort()
                                                + ": Address already in use; tried again in 5 s"));
        alarm.passes(Port.RETRY.minusMillis(1));
        assertThat(log).hasSize(3);
        alarm.passes(Port.RETRY);
        assertThat(log.getLast()).isEqualTo("serving healthz at 127.0.0.1:" + at.getPort());
        assertThat(Web.get(at, "/").body()).isEqualTo("ok");
        alarm.passes(Port.RETRY);
        assertThat(log).hasSize(4);
    }

    @Test
    void a_port_that_is_free_is_open_at_once() {
        assertThat(
                        new Port("x", Web.anyPort(), _ -> Answer.notFound(), http, alarm, log::add)
                                .open())
                .isEmpty();
    }
}
