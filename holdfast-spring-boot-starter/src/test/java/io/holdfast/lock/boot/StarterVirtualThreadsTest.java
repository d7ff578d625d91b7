package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Web requests on virtual threads wait for locks, and none keeps its carrier while it does. */
@RedisTest
@Tag("proof")
@EnabledForJreRange(min = JRE.JAVA_21)
class StarterVirtualThreadsTest {

    @TempDir
    Path directory;

    @Test
    void nothingPins(RedisServer redis) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(32);
        try (Recording recording = new Recording();
                WebApplication application = WebApplication.start(
                        List.of(Shop.class), "holdfast.url=" + redis.url(), "spring.threads.virtual.enabled=true")) {
            recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
            recording.start();
            List<Future<String>> answers = IntStream.range(0, 400)
                    .mapToObj(number -> callers.submit(
                            () -> application.get("/sell/" + number % 4).body()))
                    .toList();
            for (Future<String> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("virtual");
            }
            recording.stop();
            Path file = directory.resolve("pinned.jfr");
            recording.dump(file);
            assertThat(RecordingFile.readAllEvents(file).stream()
                            .filter(StarterVirtualThreadsTest::isOfLocks)
                            .map(RecordedEvent::toString))
                    .isEmpty();
        } finally {
            callers.shutdownNow();
        }
    }

    private static boolean isOfLocks(RecordedEvent event) {
        return event.getStackTrace() == null
                || event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("io.holdfast.lock."));
    }

    @RestController
    static class Shop {

        @GetMapping("/sell/{item}")
        @Locked("item:#{#item}")
        public String sell(@PathVariable String item, LockHold hold) {
            return Thread.currentThread().toString().startsWith("VirtualThread") ? "virtual" : "platform";
        }
    }
}
