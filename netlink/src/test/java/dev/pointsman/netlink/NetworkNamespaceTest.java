package dev.pointsman.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

final class NetworkNamespaceTest {
    private static Path identity() throws Exception {
        return Files.readSymbolicLink(NetworkNamespace.current().file());
    }

    @KernelTest(tools = {})
    void a_task_runs_inside_and_the_caller_stays_outside() throws Exception {
        try (var namespace = TestNamespace.create()) {
            Path outside = identity();
            Path inside = namespace.namespace().call(NetworkNamespaceTest::identity);
            assertThat(inside).isNotEqualTo(outside);
            assertThat(identity()).isEqualTo(outside);
            assertThat(namespace.namespace().call(NetworkNamespaceTest::identity))
                    .isEqualTo(inside);
        }
    }

    @KernelTest(tools = {})
    void a_socket_stays_where_it_was_opened() throws Exception {
        try (var namespace = TestNamespace.create();
                LinkSocket socket = namespace.namespace().call(LinkSocket::open)) {
            assertThat(socket.links()).extracting(Link::name).contains("lo").doesNotContain("eth0");
        }
    }

    @KernelTest(tools = {})
    void what_the_task_throws_comes_through() throws Exception {
        try (var namespace = TestNamespace.create()) {
            assertThatThrownBy(
                            () ->
                                    namespace
                                            .namespace()
                                            .call(
                                                    () -> {
                                                        throw new FileNotFoundException("checked");
                                                    }))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessage("checked");
        }
    }

    @KernelTest(tools = {})
    void a_namespace_that_is_gone_is_named() {
        assertThatThrownBy(() -> NetworkNamespace.named("pointsman-none").call(() -> ""))
                .isInstanceOf(NetlinkException.class)
                .hasMessage("open network namespace /var/run/netns/pointsman-none: ENOENT (2)");
    }

    @KernelTest(tools = {})
    void an_interrupt_reaches_the_task_and_stays_set() throws Exception {
        try (var namespace = TestNamespace.create()) {
            var started = new CountDownLatch(1);
            var taskInterrupted = new AtomicBoolean();
            var callerInterrupted = new AtomicBoolean();
            Thread caller =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            namespace
                                                    .namespace()
                                                    .call(
                                                            () -> {
                                                                started.countDown();
                                                                new CountDownLatch(1).await();
                                                                return "";
                                                            });
                                        } catch (InterruptedException _) {
                                            taskInterrupted.set(true);
                                        } catch (Exception e) {
                                            throw new AssertionError(e);
                                        }
                                        callerInterrupted.set(
                                                Thread.currentThread().isInterrupted());
                                    });
            started.await();
            caller.interrupt();
            caller.join();
            assertThat(taskInterrupted).isTrue();
            assertThat(callerInterrupted).isTrue();
        }
    }
}
