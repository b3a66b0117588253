package dev.pointsman.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.notice.Heard;
import dev.pointsman.notice.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PortTest {
    private final HttpThread http = new HttpThread(Limits.DEFAULT, _ -> {});
    private final Alarm alarm = new Alarm();
    private final Heard heard = new Heard();

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
            port = new Port(Purpose.HEALTHZ, at, _ -> Answer.text(200, "ok"), http, alarm, heard);
            port.keepTrying(port.open().orElseThrow());
            alarm.passes(Port.RETRY);
            alarm.passes(Port.RETRY);
        }
        assertThat(heard.reasons()).hasSize(3).containsOnly(Reason.HEALTHZ_FAILED);
        assertThat(heard.lines())
                .hasSize(3)
                .allMatch(
                        line ->
                                line.equals(
                                        "cannot serve healthz at 127.0.0.1:"
                                                + at.getPort()
                                                + ": Address already in use; tried again in 5 s"));
        alarm.passes(Port.RETRY.minusMillis(1));
        assertThat(heard.lines()).hasSize(3);
        alarm.passes(Port.RETRY);
        assertThat(heard.lines().getLast())
                .isEqualTo("serving healthz at 127.0.0.1:" + at.getPort());
        assertThat(Web.get(at, "/").body()).isEqualTo("ok");
        alarm.passes(Port.RETRY);
        assertThat(heard.lines()).hasSize(4);
    }

    @Test
    void a_port_that_is_free_is_open_at_once() {
        assertThat(
                        new Port(
                                        Purpose.METRICS,
                                        Web.anyPort(),
                                        _ -> Answer.notFound(),
                                        http,
                                        alarm,
                                        heard)
                                .open())
                .isEmpty();
    }
}
