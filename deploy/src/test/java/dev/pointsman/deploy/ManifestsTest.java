package dev.pointsman.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DatabindException;

/// What an operator grants by applying the manifests, as they are in this repository.
final class ManifestsTest {
    static final Path BASE = Path.of("kustomize/base/pointsman.yaml");

    private String text = "";
    private Manifests manifests = Manifests.of("");
    private PodSpec pod = new PodSpec();

    @BeforeEach
    void read() throws IOException {
        text = Files.readString(BASE);
        manifests = Manifests.of(text).checked();
        pod = manifests.only(DaemonSet.class).getSpec().getTemplate().getSpec();
    }

    @Test
    void a_field_that_kubernetes_has_not_is_noticed() {
        String wrong = text.replace("hostNetwork: true", "hostNetwrok: true");
        assertThatThrownBy(() -> Manifests.of(wrong).checked())
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("hostNetwrok");
    }

    @Test
    void the_program_itself_may_administer_networks_and_nothing_else() {
        Container container = pod.getContainers().getFirst();
        var context = container.getSecurityContext();
        assertThat(pod.getContainers()).hasSize(1);
        assertThat(context.getPrivileged()).isNull();
        assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(context.getCapabilities().getAdd()).containsExactly("NET_ADMIN");
        assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getHostPID()).isNull();
        assertThat(pod.getHostIPC()).isNull();
    }

    @Test
    void of_the_node_only_the_lock_of_iptables_is_mounted() {
        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getHostPath() != null)
                .extracting(volume -> volume.getHostPath().getPath())
                .containsExactly("/run/xtables.lock");
    }

    @Test
    void only_what_ends_before_the_program_begins_is_privileged() {
        assertThat(pod.getInitContainers())
                .singleElement()
                .satisfies(
                        init -> {
                            assertThat(init.getSecurityContext().getPrivileged()).isTrue();
                            assertThat(init.getArgs()).contains("run", "--init-only");
                            assertThat(init.getRestartPolicy()).isNull();
                        });
    }

    @Test
    void it_runs_on_every_node_and_gives_way_to_nobody() {
        Toleration all = new TolerationBuilder().withOperator("Exists").build();
        assertThat(pod.getTolerations()).containsExactly(all);
        assertThat(pod.getNodeSelector()).containsOnlyKeys("kubernetes.io/os");
        assertThat(pod.getPriorityClassName()).isEqualTo("system-node-critical");
        assertThat(pod.getHostNetwork()).isTrue();
    }

    /// It is the role that every cluster has for its proxy.
    @Test
    void its_account_has_one_role() {
        ClusterRoleBinding binding = manifests.only(ClusterRoleBinding.class);
        String account = manifests.only(ServiceAccount.class).getMetadata().getName();
        assertThat(binding.getRoleRef())
                .isEqualTo(
                        new RoleRef(
                                "rbac.authorization.k8s.io", "ClusterRole", "system:node-proxier"));
        assertThat(binding.getSubjects())
                .extracting(Subject::getKind, Subject::getNamespace, Subject::getName)
                .containsExactly(tuple("ServiceAccount", "kube-system", account));
        assertThat(pod.getServiceAccountName()).isEqualTo(account);
    }
}
