package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pointsman.dataplane.Mode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mode ipvs on the command line, over the example that the documentation reads.
final class ShopIpvsTest {
    private static final String SHOP = "../deploy/examples/shop.yaml";
    private final Console console = new Console(() -> ServiceLoader.load(Mode.class), "worker-1");

    private int run(String command, String... args) {
        List<String> line =
                new ArrayList<>(
                        List.of(
                                command,
                                "--mode",
                                "ipvs",
                                "--node",
                                "worker-1",
                                "--cluster-cidr",
                                "10.244.0.0/16,fd00:10:244::/56"));
        line.addAll(List.of(args));
        return console.run(InputStream.nullInputStream(), line);
    }

    @Test
    void render_prints_a_script_of_the_tools_in_the_order_in_which_it_is_applied() {
        assertThat(run("render", "-f", SHOP)).isZero();
        assertThat(console.err.toString()).isEmpty();
        assertThat(console.out.toString().lines())
                .containsSubsequence(
                        "ipset restore -exist <<'EOF'",
                        "create KUBE-SERVICE-IP hash:ip,port family inet hashsize 1024 maxelem"
                                + " 1048576",
                        "EOF",
                        "ip -force -batch - <<'EOF'",
                        "link add kube-ipvs0 type dummy",
                        "EOF",
                        "ipset restore -exist <<'EOF'",
                        "add KUBE-SERVICE-IP 10.96.0.1,tcp:443",
                        "EOF",
                        "ipvsadm -R <<'EOF'",
                        "-A -t 10.96.0.1:443 -s rr",
                        "EOF",
                        "ip -force -batch - <<'EOF'",
                        "address add 10.96.0.1/32 dev kube-ipvs0",
                        "EOF",
                        "iptables-restore --noflush <<'EOF'",
                        "EOF",
                        "ipvsadm -R <<'EOF'",
                        "ip6tables-restore --noflush <<'EOF'",
                        "EOF");
        assertThat(console.out.toString()).doesNotContain("--random-fully");
    }

    @Test
    void plan_drains_the_endpoint_that_goes_and_adds_the_one_that_comes(@TempDir Path folder)
            throws IOException {
        Path after = folder.resolve("after.yaml");
        Files.writeString(
                after, Files.readString(Path.of(SHOP)).replace("10.244.2.13", "10.244.2.99"));
        assertThat(run("plan", "--from", SHOP, "-f", after.toString(), "--family", "ipv4"))
                .isEqualTo(1);
        assertThat(console.out.toString().lines().filter(line -> line.startsWith("-")))
                .isNotEmpty()
                .allMatch(line -> line.matches("-(a|e) .*:8443 -m -w [01]"))
                .anyMatch(line -> line.matches("-a -t .* -r 10.244.2.99:8443 -m -w 1"))
                .anyMatch(line -> line.matches("-e -t .* -r 10.244.2.13:8443 -m -w 0"));
    }

    @Test
    void verify_proves_the_rules_of_the_shop() {
        assertThat(run("verify", "-f", SHOP)).as(console.out.toString()).isEqualTo(0);
    }
}
