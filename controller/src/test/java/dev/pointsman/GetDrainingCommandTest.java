package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.DataplaneUnavailable;
import dev.pointsman.dataplane.Draining;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is said of real servers that drain.
final class GetDrainingCommandTest {
    private final InMemoryMode ipvs = new InMemoryMode("ipvs");
    private final Console console = new Console(() -> List.of(new InMemoryMode(), ipvs), "node-a");

    private int get(String... options) {
        return console.run(
                InputStream.nullInputStream(),
                Stream.concat(Stream.of("get", "draining"), Stream.of(options)).toList());
    }

    private void twoDrain() {
        ipvs.drains(new Draining("10.96.0.1:443/tcp", "10.244.1.5:8443", 12, 3));
        ipvs.drains(new Draining("[fd00:10:96::1]:443/tcp", "[fd00:10:244::5]:8443", 0, 1));
    }

    @Test
    void each_real_server_is_a_line_with_its_connections() {
        twoDrain();
        assertThat(get()).isZero();
        assertThat(console.out.toString())
                .isEqualTo(
                        """
                        VIRTUAL SERVER            REAL SERVER             ACTIVE   INACTIVE
                        10.96.0.1:443/tcp         10.244.1.5:8443         12       3
                        [fd00:10:96::1]:443/tcp   [fd00:10:244::5]:8443   0        1
                        """);
        assertThat(console.err.toString()).isEmpty();
    }

    @Test
    void json_has_the_same() {
        twoDrain();
        assertThat(get("-o", "json")).isZero();
        assertThat(console.out.toString())
                .isEqualTo(
                        """
                        {
                          "apiVersion": "pointsman.dev/v1alpha1",
                          "kind": "DrainingList",
                          "items": [
                            {
                              "virtualServer": "10.96.0.1:443/tcp",
                              "realServer": "10.244.1.5:8443",
                              "active": 12,
                              "inactive": 3
                            },
                            {
                              "virtualServer": "[fd00:10:96::1]:443/tcp",
                              "realServer": "[fd00:10:244::5]:8443",
                              "active": 0,
                              "inactive": 1
                            }
                          ]
                        }
                        """);
    }

    @Test
    void nothing_is_said_in_words_and_in_json_as_an_empty_list() {
        assertThat(get()).isZero();
        assertThat(console.out.toString()).isEmpty();
        assertThat(console.err.toString()).isEqualTo("no real server is draining\n");
        assertThat(get("-o", "json")).isZero();
        assertThat(console.out.toString()).contains("\"items\": []");
    }

    @Test
    void a_kernel_that_cannot_be_read_is_told_with_the_exit_code_of_all_commands() {
        ipvs.cannotTell(
                new DataplaneUnavailable("the kernel has no IPVS; load it", new IOException()));
        assertThat(get()).isEqualTo(3);
        assertThat(console.out.toString()).isEmpty();
        assertThat(console.err.toString()).isEqualTo("error: the kernel has no IPVS; load it\n");
    }
}
