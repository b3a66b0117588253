package dev.pointsman.kube;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessTest {
    @TempDir Path folder;

    private Path kubeconfig(String text) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), text);
    }

    @Test
    void of_a_file_that_cannot_be_parsed_only_the_place_is_told() throws IOException {
        Path file = kubeconfig("apiVersion: v1\nusers: [{name: u, user: {token: s3cret\nx: y\n");
        assertThatThrownBy(() -> Access.ofKubeconfig(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the kubeconfig cannot be used as it is, line 3")
                .hasNoCause();
    }

    @Test
    void a_file_that_is_empty_for_a_moment_is_no_fault_of_ours() throws IOException {
        Path file = kubeconfig("");
        assertThatThrownBy(() -> Access.ofKubeconfig(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the kubeconfig cannot be used as it is");
    }
}
