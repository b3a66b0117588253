package dev.pointsman.guest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// A class whose tests run in the guest, as root under a kernel with IPVS and dummy devices, and
/// are reported here, each as itself.
///
/// Here the class is constructed too, and its test factories are called, to learn what tests there
/// are. Each test then runs in the guest as if it were the only one, in the same JVM as all others:
/// with everything that goes before and after it, and with [org.junit.jupiter.api.BeforeAll] as
/// well. Everything may be read there that can be read here, and nothing written outside of `/tmp`
/// and `/run`, which go with the guest. What a test prints appears here.
///
/// Where no guest can be had these tests are skipped, and say so on standard output. `-Dguest=here`
/// runs them without one, for those whose own kernel has IPVS.
@Tag("guest")
@ExtendWith(GuestExtension.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface GuestTest {
    /// How long one test may take. The guest is emulated: ten times what it takes elsewhere is
    /// nothing unusual.
    int minutes() default 5;
}
