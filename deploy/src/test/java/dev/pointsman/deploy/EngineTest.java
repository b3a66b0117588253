package dev.pointsman.deploy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/// A test that needs a container engine on this machine and, to look into containers, to be root.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@Tag("containers")
@EnabledIfEnvironmentVariable(
        named = "DOCKER_HOST",
        matches = "unix://.+",
        disabledReason = "there is no container engine: deploy/engine up DIR starts one")
@interface EngineTest {}
