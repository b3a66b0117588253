package dev.pointsman.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.netlink.KernelTest;
import dev.pointsman.netlink.TestNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// What every test in the guest may count on.
@GuestTest
final class KernelGuestTest {
    @KernelTest(tools = "ipvsadm")
    void the_kernel_balances() {
        try (TestNamespace namespace = TestNamespace.create()) {
            namespace.run("ipvsadm", "-A", "-t", "10.96.0.1:443", "-s", "rr");
            assertThat(namespace.run("ipvsadm-save", "-n")).contains("-A -t 10.96.0.1:443 -s rr");
        }
    }

    @KernelTest
    void the_kernel_has_dummy_devices() {
        try (TestNamespace namespace = TestNamespace.create()) {
            namespace.run("ip", "link", "add", "name", "kube-ipvs0", "type", "dummy");
            assertThat(namespace.run("ip", "link")).contains("kube-ipvs0");
        }
    }

    @TestFactory
    Stream<DynamicTest> what_is_written_goes_with_the_guest() {
        return Stream.of("/tmp", "/run")
                .map(
                        folder ->
                                DynamicTest.dynamicTest(
                                        folder,
                                        () -> {
                                            Path file = Path.of(folder, "written-in-the-guest");
                                            assertThat(Files.createFile(file)).exists();
                                        }));
    }
}
