package dev.pointsman.deploy;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.testcontainers.images.builder.ImageFromDockerfile;

/// Images of the distribution that `deploy/build` left, made as it makes them.
final class Images {
    /// Where the images hold Java and what it is called with.
    static final List<String> PROGRAM =
            List.of("/opt/pointsman/runtime/bin/java", "@/opt/pointsman/app/image.options");

    private Images() {}

    /// An image of the release `version`, named like its base.
    static String build(Base base, String version) {
        Path distribution = distribution();
        String name = "pointsman-test:" + version + base.suffix;
        return new ImageFromDockerfile(name, false)
                .withFileFromPath("Dockerfile", Path.of("Dockerfile"))
                .withFileFromPath(".", distribution)
                .withBuildArg("BASE", base.image())
                .withBuildArg("VERSION", version)
                .get();
    }

    /// Where it is; a test is skipped where it is not.
    static Path distribution() {
        try (Stream<Path> built = Files.list(Path.of("target"))) {
            Optional<Path> distribution =
                    built.filter(path -> Files.isRegularFile(path.resolve("bin/pointsman")))
                            .findAny();
            assumeThat(distribution).as("a distribution: deploy/build makes it").isPresent();
            return distribution.orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException("looking for the distribution in target", e);
        }
    }

    /// What images are built on.
    enum Base {
        /// Enough for mode nftables.
        PLAIN("", "POINTSMAN_BASE", "gcr.io/distroless/base-nossl-debian12"),
        /// Has the programs of iptables.
        IPTABLES(
                "-iptables",
                "POINTSMAN_IPTABLES_BASE",
                "registry.k8s.io/build-image/distroless-iptables:v0.8.4");

        private final String suffix;
        private final String variable;
        private final String published;

        Base(String suffix, String variable, String published) {
            this.suffix = suffix;
            this.variable = variable;
            this.published = published;
        }

        private String image() {
            return System.getenv().getOrDefault(variable, published);
        }
    }
}
