package dev.pointsman;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// The table "what must never cross" of the architecture, over everything on the class path.
@AnalyzeClasses(
        packages = "dev.pointsman",
        importOptions = {
            ImportOption.DoNotIncludeTests.class,
            ArchitectureTest.DoNotIncludeTestJars.class
        })
final class ArchitectureTest {
    /// The test jars of other modules look like any other jar to ArchUnit.
    static final class DoNotIncludeTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String KUBE = "dev.pointsman.kube..";
    private static final String LOGGING = "dev.pointsman.logging..";
    private static final String SERVE = "dev.pointsman.serve..";
    private static final String SYNC = "dev.pointsman.sync..";
    private static final String NETLINK = "dev.pointsman.netlink..";
    private static final String[] CORE = {"dev.pointsman.graph..", "dev.pointsman.dataplane.."};

    @ArchTest
    static final ArchRule FABRIC8_STAYS_IN_KUBE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(KUBE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.fabric8..");

    @ArchTest
    static final ArchRule NETTY_AND_PROMETHEUS_STAY_IN_SERVE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(SERVE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.netty..", "io.prometheus..");

    @ArchTest
    static final ArchRule JNR_STAYS_IN_NETLINK =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(NETLINK)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("jnr..", "com.kenai.jffi..");

    @ArchTest
    static final ArchRule CHRONICLE_STAYS_IN_CONNTRACK =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.pointsman.packet.conntrack..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("net.openhft..");

    @ArchTest
    static final ArchRule THREADS_AND_LOCKS_STAY_IN_SYNC =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(SYNC)
                    // A thread that enters a network namespace can never leave it with certainty.
                    .and()
                    .doNotHaveFullyQualifiedName("dev.pointsman.netlink.NetworkNamespace")
                    .should()
                    .accessTargetWhere(startsThreads())
                    .orShould()
                    .dependOnClassesThat(
                            resideInAnyPackage("java.util.concurrent.locks..")
                                    .or(type(Thread.Builder.class)))
                    .because("one thread owns the plan and the kernel");

    @ArchTest
    static final ArchRule CLOCK_CHANCE_AND_ENVIRONMENT_COME_FROM_MAIN =
            noClasses()
                    .that(DescribedPredicate.not(type(Main.class)))
                    .should()
                    .accessTargetWhere(asksTheWorld())
                    .because("a test must be able to be the world");

    // It jumps, by hours where a battery is empty or a hypervisor slept.
    @ArchTest
    static final ArchRule THE_WALL_CLOCK_STAMPS_AND_DECIDES_NOTHING =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.pointsman", LOGGING, SERVE)
                    .should()
                    .dependOnClassesThat(type(InstantSource.class).or(type(Clock.class)));

    @ArchTest
    static final ArchRule CORE_KNOWS_NOBODY_OF_OURS =
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE)
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("dev.pointsman..")
                                    .and(DescribedPredicate.not(resideInAnyPackage(CORE))));

    @ArchTest
    static final ArchRule CORE_DOES_NO_INPUT_OR_OUTPUT =
            noClasses()
                    .that()
                    .resideInAnyPackage(CORE)
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.io..",
                                            "java.nio..",
                                            "java.net.http..",
                                            "org.slf4j..",
                                            "java.util.logging..")
                                    .and(DescribedPredicate.not(isAllowedInCore())));

    @ArchTest
    static final ArchRule STORE_KNOWS_ONLY_THE_GRAPH =
            noClasses()
                    .that()
                    .resideInAPackage("dev.pointsman.store..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("dev.pointsman..")
                                    .and(
                                            DescribedPredicate.not(
                                                    resideInAnyPackage(
                                                            "dev.pointsman.store..",
                                                            "dev.pointsman.graph.."))));

    @ArchTest
    static final ArchRule NFTABLES_STANDS_ALONE = standsAlone("nftables", "iptables", "ipvs");

    @ArchTest
    static final ArchRule IPTABLES_STANDS_ALONE = standsAlone("iptables", "nftables", "ipvs");

    // Its fixed rules are rules of iptables.
    @ArchTest static final ArchRule IPVS_STANDS_ON_IPTABLES = standsAlone("ipvs", "nftables");

    @ArchTest
    static final ArchRule BACKENDS_ARE_FOUND_AND_NOT_NAMED =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.pointsman",
                            "dev.pointsman.config..",
                            KUBE,
                            "dev.pointsman.store..",
                            SERVE,
                            SYNC)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.pointsman.nftables..",
                            "dev.pointsman.iptables..",
                            "dev.pointsman.ipvs..");

    @ArchTest
    static final ArchRule NAMES_SAY_WHAT_A_THING_IS =
            noClasses()
                    .should()
                    .haveSimpleNameEndingWith("Util")
                    .orShould()
                    .haveSimpleNameEndingWith("Utils")
                    .orShould()
                    .haveSimpleNameEndingWith("Helper")
                    .orShould()
                    .haveSimpleNameEndingWith("Manager")
                    .orShould()
                    .haveSimpleNameEndingWith("Handler")
                    .orShould()
                    .haveSimpleNameEndingWith("Impl")
                    .orShould()
                    .haveSimpleNameEndingWith("Info");

    // Inside another type they can be the kernel's own words, such as the base of a payload.
    @ArchTest
    static final ArchRule NOTHING_IS_A_BASE_OR_DATA_BY_ITSELF =
            noClasses()
                    .that()
                    .areTopLevelClasses()
                    .should()
                    .haveSimpleNameEndingWith("Base")
                    .orShould()
                    .haveSimpleNameEndingWith("Data");

    @ArchTest
    static final ArchRule EVERY_PACKAGE_IS_DESCRIBED = classes().should(liveInADescribedPackage());

    private static ArchRule standsAlone(String backend, String... others) {
        return noClasses()
                .that()
                .resideInAPackage("dev.pointsman." + backend + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        Stream.concat(
                                        Stream.of(
                                                "dev.pointsman",
                                                "dev.pointsman.config..",
                                                KUBE,
                                                "dev.pointsman.store..",
                                                SYNC),
                                        Stream.of(others)
                                                .map(other -> "dev.pointsman." + other + ".."))
                                .toArray(String[]::new));
    }

    private static DescribedPredicate<JavaAccess<?>> startsThreads() {
        return DescribedPredicate.describe(
                "starts a thread or makes a pool",
                call -> {
                    JavaClass owner = call.getTargetOwner();
                    String name = call.getName();
                    return owner.isEquivalentTo(Thread.class)
                                    && Set.of("<init>", "start", "ofVirtual", "ofPlatform", "sleep")
                                            .contains(name)
                            || owner.isEquivalentTo(Executors.class)
                            || owner.isEquivalentTo(Object.class)
                                    && Set.of("wait", "notify", "notifyAll").contains(name);
                });
    }

    private static DescribedPredicate<JavaAccess<?>> asksTheWorld() {
        return DescribedPredicate.describe(
                "asks for the time, for chance or for the environment",
                call -> {
                    JavaClass owner = call.getTargetOwner();
                    String name = call.getName();
                    return owner.isEquivalentTo(System.class)
                                    && Set.of(
                                                    "currentTimeMillis",
                                                    "nanoTime",
                                                    "getenv",
                                                    "console",
                                                    "exit")
                                            .contains(name)
                            || owner.isEquivalentTo(Clock.class) && name.startsWith("system")
                            || owner.isEquivalentTo(InstantSource.class) && name.equals("system")
                            || owner.isEquivalentTo(Instant.class)
                                    && name.equals("now")
                                    && call.getTarget() instanceof CodeUnitAccessTarget target
                                    && target.getRawParameterTypes().isEmpty()
                            || owner.isEquivalentTo(Math.class) && name.equals("random")
                            || owner.isEquivalentTo(Random.class) && name.equals("<init>")
                            || owner.isEquivalentTo(ThreadLocalRandom.class)
                            || owner.isEquivalentTo(RandomGenerator.class)
                                    && Set.of("getDefault", "of").contains(name);
                });
    }

    /// Values and contracts that carry no I/O themselves: printing into an Appendable, the bytes of
    /// an address.
    private static DescribedPredicate<JavaClass> isAllowedInCore() {
        return DescribedPredicate.describe(
                "carries no I/O itself",
                c ->
                        Set.of(
                                        "java.io.IOException",
                                        "java.io.UncheckedIOException",
                                        "java.io.Serializable",
                                        "java.nio.ByteBuffer")
                                .contains(c.getName()));
    }

    private static ArchCondition<JavaClass> liveInADescribedPackage() {
        return new ArchCondition<>("live in a package with a package-info") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                boolean described = item.getPackage().tryGetPackageInfo().isPresent();
                events.add(
                        new SimpleConditionEvent(
                                item,
                                described,
                                item.getName() + " lives in a package without package-info"));
            }
        };
    }

    @ArchTest
    static void the_modules_are_on_the_class_path(JavaClasses all) {
        for (String present :
                new String[] {
                    "dev.pointsman.graph.RuleGraph",
                    "dev.pointsman.dataplane.Dataplane",
                    "dev.pointsman.sync.SyncLoop"
                }) {
            all.get(present);
        }
    }
}
