package dev.pointsman.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// What must not cross within this module.
@AnalyzeClasses(
        packages = "dev.pointsman.perf",
        importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule NETTY_STAYS_IN_THE_API_SERVER =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.pointsman.perf.api..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.netty..");

    @ArchTest
    static final ArchRule THE_API_SERVER_KNOWS_NO_PROXY =
            noClasses()
                    .that()
                    .resideInAPackage("dev.pointsman.perf.api..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.pointsman.kube..", "dev.pointsman.graph..", "io.fabric8..");
}
