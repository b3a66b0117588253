package dev.pointsman.guest;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// Has each test run in the guest in place of here.
final class GuestExtension implements ExecutionCondition, InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(GuestExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return ConditionEvaluationResult.enabled("as its class is");
        }
        Optional<String> obstacle = isHere() ? lackOfThisKernel() : Guest.obstacle();
        obstacle.ifPresent(
                reason ->
                        System.out.println(
                                "skipped guest tests of "
                                        + context.getDisplayName()
                                        + ": "
                                        + reason));
        return obstacle.map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("a guest can be had"));
    }

    /// Whether this is the guest, or shall do without.
    private static boolean isHere() {
        return "here".equals(System.getProperty("guest"));
    }

    private static Optional<String> lackOfThisKernel() {
        return Files.exists(Path.of("/proc/net/ip_vs"))
                ? Optional.empty()
                : Optional.of("the kernel has no IPVS, or has not loaded ip_vs");
    }

    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        onlyHere(invocation);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        onlyHere(invocation);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        onlyHere(invocation);
    }

    @Override
    public void interceptAfterAllMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        onlyHere(invocation);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation,
            DynamicTestInvocationContext test,
            ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    private static void onlyHere(Invocation<Void> invocation) throws Throwable {
        if (isHere()) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }

    private static void run(Invocation<Void> invocation, ExtensionContext context)
            throws Throwable {
        if (isHere()) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(Guest.class, _ -> new Guest(), Guest.class)
                .run(context.getUniqueId(), context.getDisplayName(), limit(context))
                .repeat();
    }

    /// A dynamic test knows no class; the factory that it comes from does.
    private static Duration limit(ExtensionContext context) {
        return context.getTestClass()
                .flatMap(type -> AnnotationSupport.findAnnotation(type, GuestTest.class))
                .map(test -> Duration.ofMinutes(test.minutes()))
                .orElseGet(() -> limit(context.getParent().orElseThrow()));
    }
}
