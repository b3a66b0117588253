package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

final class AddressNoticesTest {
    @KernelTest(tools = {})
    void addresses_that_come_and_go_are_news_in_both_families() throws Exception {
        try (var namespace = TestNamespace.create();
                AddressNotices notices = namespace.namespace().call(AddressNotices::open)) {
            for (String address : List.of("10.9.0.1/32", "fd00:9::1/128")) {
                for (String change : List.of("add", "delete")) {
                    namespace.run("ip", "address", change, address, "dev", "lo");
                    assertThat(notices.await()).as(change + " " + address).isTrue();
                }
            }
        }
    }
}
