package dev.pointsman.netlink;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// A test that needs the real kernel: root, and the tools and modules it names. Where one is
/// missing it is skipped, and says so on standard output.
@Test
@Tag("kernel")
@ExtendWith(KernelTest.Condition.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface KernelTest {
    /// Programs that must be on the path, beside `ip`.
    String[] tools() default {"nft"};

    /// Modules that the kernel must have, loaded, built in or ready to be loaded, such as `ip_vs`.
    String[] modules() default {};

    /// Whether a [KernelTest] can run here.
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<KernelTest> test =
                    AnnotationSupport.findAnnotation(context.getElement(), KernelTest.class);
            if (test.isEmpty()) {
                return ConditionEvaluationResult.enabled("not a kernel test");
            }
            Optional<String> obstacle = obstacle(test.get());
            obstacle.ifPresent(
                    reason ->
                            System.out.println(
                                    "skipped kernel test "
                                            + context.getDisplayName()
                                            + ": "
                                            + reason));
            return obstacle.map(ConditionEvaluationResult::disabled)
                    .orElseGet(() -> ConditionEvaluationResult.enabled("root, with all tools"));
        }

        private static Optional<String> obstacle(KernelTest test) {
            if (!isRoot()) {
                return Optional.of("needs root, to make network namespaces");
            }
            return Stream.concat(Stream.of("ip"), Stream.of(test.tools()))
                    .filter(tool -> !isInstalled(tool))
                    .findFirst()
                    .map(tool -> "needs the program " + tool)
                    .or(
                            () ->
                                    Stream.of(test.modules())
                                            .filter(module -> !isInKernel(module))
                                            .findFirst()
                                            .map(module -> "needs a kernel with module " + module));
        }

        static boolean isInKernel(String module) {
            if (Files.isDirectory(Path.of("/sys/module", module))) {
                return true;
            }
            try {
                String release = Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
                Path folder = Path.of("/lib/modules", release);
                for (String list : List.of("modules.builtin", "modules.dep")) {
                    if (Files.exists(folder.resolve(list))
                            && Files.readString(folder.resolve(list))
                                    .contains("/" + module + ".ko")) {
                        return true;
                    }
                }
                return false;
            } catch (IOException _) {
                return false;
            }
        }

        private static boolean isRoot() {
            try {
                return Files.getAttribute(Path.of("/proc/self"), "unix:uid") instanceof Integer uid
                        && uid == 0;
            } catch (IOException _) {
                return false;
            }
        }

        private static boolean isInstalled(String tool) {
            return Stream.of(
                            "/usr/sbin",
                            "/sbin",
                            "/usr/bin",
                            "/bin",
                            "/usr/local/sbin",
                            "/usr/local/bin")
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
        }
    }
}
