package dev.pointsman.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.graph.Endpoint;
import dev.pointsman.graph.IpAddress;
import dev.pointsman.graph.Protocol;
import dev.pointsman.graph.ServiceName;
import dev.pointsman.graph.ServicePortName;
import org.junit.jupiter.api.Test;

class StickyPartTest {
    private static final Endpoint ENDPOINT =
            new Endpoint(IpAddress.parse("fd00:a::1"), 8080, Endpoint.Place.ELSEWHERE);

    @Test
    void names_tell_the_port_and_the_endpoint() {
        ServicePortName owner =
                new ServicePortName(new ServiceName("shop", "cart"), "http", Protocol.TCP);
        assertThat(StickyPart.memoryName(owner, ENDPOINT))
                .isEqualTo("affinity/shop/cart/tcp/http/fd00.a..1/8080");
    }

    @Test
    void names_that_are_too_long_are_cut_and_stay_apart() {
        ServiceName service = new ServiceName("n".repeat(63), "s".repeat(253));
        String one =
                StickyPart.memoryName(new ServicePortName(service, "a", Protocol.TCP), ENDPOINT);
        String other =
                StickyPart.memoryName(new ServicePortName(service, "b", Protocol.TCP), ENDPOINT);
        assertThat(one).hasSize(255).isNotEqualTo(other);
        assertThat(other).hasSize(255);
    }
}
