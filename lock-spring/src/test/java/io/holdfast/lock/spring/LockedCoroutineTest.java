package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Suspending functions and Flows, in {@code Suspending.kt}. Kotlin's compiler is there in the profile {@code proof} only, so that
 * others need not download it; it is called here.
 */
@RedisTest
@Tag("proof")
@Tag("once")
class LockedCoroutineTest {

    @TempDir
    static Path folder;

    private static URLClassLoader kotlin;
    private static AnnotationConfigApplicationContext context;
    private static LockClient client;
    private static LockClient other;
    private static Object scenarios;

    @EnableLocks
    static class Application {}

    @BeforeAll
    static void compileAndStart(RedisServer redis) throws Exception {
        Path source = folder.resolve("Suspending.kt");
        try (InputStream text = LockedCoroutineTest.class.getResourceAsStream("Suspending.kt")) {
            Files.copy(text, source);
        }
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Class<?> compiler = Class.forName("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
        String[] arguments = {
            "-no-stdlib",
            "-no-reflect",
            "-jvm-target",
            "17",
            "-java-parameters",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            source.toString()
        };
        Object code = compiler.getMethod("exec", PrintStream.class, String[].class)
                .invoke(compiler.getConstructor().newInstance(), System.out, arguments);
        assertThat(code).hasToString("OK");
        kotlin = new URLClassLoader(new URL[] {classes.toUri().toURL()}, LockedCoroutineTest.class.getClassLoader());
        client = LockClient.connect(redis.url());
        other = LockClient.connect(redis.url());
        Class<?> service = kotlin.loadClass("suspending.Service");
        context = context(service);
        scenarios = kotlin.loadClass("suspending.Scenarios")
                .getConstructor(service, Supplier.class)
                .newInstance(context.getBean(service), (Supplier<Boolean>) LockedCoroutineTest::isFree);
    }

    private static AnnotationConfigApplicationContext context(Class<?> bean) {
        AnnotationConfigApplicationContext fresh = new AnnotationConfigApplicationContext();
        fresh.setClassLoader(kotlin);
        fresh.registerBean("locks", LockClient.class, () -> client, definition -> definition.setDestroyMethodName(""));
        fresh.registerBean(bean);
        fresh.register(Application.class);
        fresh.refresh();
        return fresh;
    }

    @AfterAll
    static void stop() throws Exception {
        context.close();
        client.close();
        other.close();
        kotlin.close();
    }

    private static boolean isFree() {
        return other.getLock("k")
                .tryAcquire()
                .map(hold -> {
                    hold.release();
                    return true;
                })
                .orElse(false);
    }

    private static Object play(String scenario) throws Exception {
        return scenarios.getClass().getMethod(scenario).invoke(scenarios);
    }

    @ParameterizedTest
    @ValueSource(strings = {"held", "joined", "token", "flowed", "followed", "cancelled", "outside"})
    void plays(String scenario) throws Exception {
        assertThat(play(scenario)).isEqualTo(true);
    }

    @Test
    void whatIsNotGrantedIsSkippedOrReplaced() throws Exception {
        try (LockHold held = other.getLock("k").tryAcquire().orElseThrow()) {
            assertThat(play("notGranted")).isEqualTo("[] null instead of it");
            assertThat(held.validFor()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NeverNull", "NeverNullText"})
    void whatCanNotBeNullCanNotBeSkipped(String type) throws Exception {
        Class<?> bean = kotlin.loadClass("suspending." + type);
        assertThatThrownBy(() -> context(bean)).hasMessageContaining("has no empty value here");
    }
}
