package dev.pointsman.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

final class AddressWatchTest {
    @KernelTest
    void one_that_cannot_go_on_says_so_and_what_comes_of_it() throws Exception {
        BlockingQueue<String> log = new LinkedBlockingQueue<>();
        Runnable broken =
                () -> {
                    throw new IllegalStateException("a test broke it");
                };
        try (TestNamespace node = TestNamespace.create();
                AddressWatch _ = node.namespace().call(() -> new AddressWatch(broken, log::add))) {
            node.run("ip", "addr", "add", "192.0.2.1/32", "dev", "lo");
            assertThat(log.poll(30, TimeUnit.SECONDS))
                    .contains("health-check node ports", "a test broke it");
        }
    }
}
