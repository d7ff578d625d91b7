package io.holdfast.lock.testkit.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Which test classes of a build run at once, in several JVMs. */
class QuietMachineTest {

    private static final String DIRECTORY = "quiet.machine.test";

    @TempDir
    private Path directory;

    @Test
    void aQuietClassWaitsForThoseThatRunAndHoldsUpThoseThatCome() throws Exception {
        Process running = start(Ordinary.class);
        await("the first class").until(() -> Files.exists(directory.resolve("begun-Ordinary")));
        Process quiet = start(Quiet.class);
        await("the quiet class at the door").until(() -> isLocked(directory.resolve("room.door")));
        Process later = start(Later.class);

        Files.createFile(directory.resolve("end-Ordinary"));
        assertThat(running.waitFor(20, TimeUnit.SECONDS)).isTrue();
        await("the quiet class").until(() -> Files.exists(directory.resolve("begun-Quiet")));
        assertThat(directory.resolve("begun-Later")).doesNotExist();
        Files.createFile(directory.resolve("end-Quiet"));
        Files.createFile(directory.resolve("end-Later"));

        assertThat(quiet.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(later.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(directory.resolve("begun-Later")).exists();
    }

    @Test
    void ordinaryClassesRunAtOnceAndWithoutTheFileAllDo() throws Exception {
        Process one = start(Ordinary.class);
        Process other = start(Later.class);

        await().until(() ->
                Files.exists(directory.resolve("begun-Ordinary")) && Files.exists(directory.resolve("begun-Later")));
        CompletableFuture.runAsync(() -> run(null, Nothing.class)).get(20, TimeUnit.SECONDS);

        Files.createFile(directory.resolve("end-Ordinary"));
        Files.createFile(directory.resolve("end-Later"));
        assertThat(one.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(other.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private Process start(Class<?> tests) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-D" + DIRECTORY + "=" + directory,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        QuietMachineTest.class.getName(),
                        directory.resolve("room").toString(),
                        tests.getName())
                .redirectErrorStream(true)
                .redirectOutput(
                        directory.resolve("output-" + tests.getSimpleName()).toFile())
                .start();
    }

    /** Whether another process has locked it; that one waits for a file, so the look is not in its way. */
    private static boolean isLocked(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        }
    }

    /** A JVM of tests: the file, and the class that it runs. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        run(arguments[0], Class.forName(arguments[1]));
    }

    private static void run(String room, Class<?> tests) {
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build())
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        new QuietMachine(room));
    }

    private static void beginAndAwaitTheEnd(String name) throws Exception {
        Path directory = Path.of(System.getProperty(DIRECTORY));
        Files.createFile(directory.resolve("begun-" + name));
        await().until(() -> Files.exists(directory.resolve("end-" + name)));
    }

    // Run by the tests above only: no build looks for tests in a class within a class.

    static class Ordinary {
        @Test
        void runs() throws Exception {
            beginAndAwaitTheEnd("Ordinary");
        }
    }

    static class Later {
        @Test
        void runs() throws Exception {
            beginAndAwaitTheEnd("Later");
        }
    }

    @Tag(QuietMachine.TAG)
    static class Quiet {
        @Test
        void runs() throws Exception {
            beginAndAwaitTheEnd("Quiet");
        }
    }

    @Tag(QuietMachine.TAG)
    static class Nothing {
        @Test
        void runs() {}
    }
}
