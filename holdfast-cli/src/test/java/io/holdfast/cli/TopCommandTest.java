package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table that is refreshed in place, in a terminal of script(1), and without one. */
class TopCommandTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void withoutATerminalItPrintsTables() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url())) {
            client.getLock("a").lock();
            client.getLock("b").lock();
            Ran top = Ran.at(server.url(), "top", "--count", "2", "--interval", "200 ms", "--sort", "name");
            assertThat(top.status()).isZero();
            assertThat(top.out()).contains("2 locks, 0 waited for, by name").doesNotContain("\u001b");
            assertThat(top.out().lines())
                    .filteredOn(line -> line.startsWith("NAME"))
                    .hasSize(2);
            assertThat(top.out().lines())
                    .filteredOn(line -> line.matches("[ab] .*"))
                    .hasSize(4);
        }
    }

    @Test
    void keysSortFilterAndEndAndTheTerminalIsRestored() throws Exception {
        assumeThat(new File("/usr/bin/script"))
                .as("script(1) makes the terminal")
                .exists();
        Path seen = folder.resolve("seen");
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url())) {
            client.getLock("order").lock();
            client.getLock("invoice").lock();
            String java = System.getProperty("java.home") + "/bin/java -XX:TieredStopAtLevel=1 -Dholdfast.in=terminal"
                    + " -Dholdfast.out=terminal -cp " + System.getProperty("java.class.path")
                    + " io.holdfast.cli.Holdfast top --interval 200ms --width 60 --url " + server.url();
            Process process = new ProcessBuilder("script", "-qfec", "stty rows 20; " + java + "; stty -a", "/dev/null")
                    .redirectErrorStream(true)
                    .redirectOutput(seen.toFile())
                    .start();
            try (OutputStream keys = process.getOutputStream()) {
                awaitScreen(seen, "2 locks");
                press(keys, "n");
                awaitScreen(seen, "by name");
                press(keys, "/inv\r");
                awaitScreen(seen, "filter: inv");
                assertThat(lastFrame(seen)).contains("invoice").doesNotContain("order");
                press(keys, "q");
                await().atMost(PATIENCE).until(() -> text(seen).contains("\u001b[?1049l"));
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            assertThat(text(seen).substring(text(seen).indexOf("\u001b[?1049l")))
                    .containsPattern("(?<!-)\\bicanon\\b")
                    .containsPattern("(?<!-)\\becho\\b")
                    .containsPattern("(?<!-)\\bisig\\b");
        }
    }

    private static void press(OutputStream keys, String text) throws Exception {
        keys.write(text.getBytes(StandardCharsets.US_ASCII));
        keys.flush();
    }

    private static void awaitScreen(Path seen, String text) {
        await().atMost(PATIENCE).until(() -> lastFrame(seen).contains(text));
    }

    /** The last frame that is complete. */
    private static String lastFrame(Path seen) throws Exception {
        String[] frames = text(seen).split("\u001b\\[H", -1);
        return frames.length < 3 ? "" : frames[frames.length - 2];
    }

    private static String text(Path seen) throws Exception {
        return Files.readString(seen, StandardCharsets.UTF_8);
    }
}
