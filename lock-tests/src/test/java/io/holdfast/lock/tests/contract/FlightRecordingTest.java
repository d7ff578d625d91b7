package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.support.ServerTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real flight recording has of a client's life. */
class FlightRecordingTest extends ServerTest {

    private static final String PREFIX = "io.holdfast.lock.";

    @TempDir
    private Path directory;

    @Test
    void aRecordingHasCallsHoldsLossesAndReconnects() throws Exception {
        LockClient client = connect();
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable(PREFIX + "Acquire").withThreshold(Duration.ZERO);
            recording.enable(PREFIX + "Hold").withThreshold(Duration.ZERO);
            recording.enable(PREFIX + "Lost");
            recording.enable(PREFIX + "Reconnect");
            recording.start();
            RLock lock = client.getLock("recorded");
            lock.lock();
            assertThat(lock.tryAcquire()).isEmpty();
            lock.lock();
            lock.unlock();
            lock.unlock();
            LockHold lost = lock.acquire();
            lock.forceUnlock();
            assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
            redis.kill();
            redis.restart();
            eventually(() -> assertThat(lock.isLocked()).isFalse());
            recording.stop();
            Path file = directory.resolve("holdfast.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith(PREFIX))
                    .toList();
        }
        assertThat(outcomes(events, "Acquire"))
                .containsExactlyInAnyOrder("ACQUIRED", "HELD_BY_ANOTHER", "REENTERED", "ACQUIRED");
        assertThat(outcomes(events, "Hold")).containsExactlyInAnyOrder("RELEASED", "LOST");
        assertThat(named(events, "Lost")).singleElement().satisfies(event -> {
            assertThat(event.getString("reason")).isEqualTo("FORCED");
            assertThat(event.getString("lock")).isEqualTo("recorded");
        });
        assertThat(named(events, "Reconnect"))
                .anySatisfy(event -> assertThat(event.getString("purpose")).isEqualTo("COMMANDS"));
        assertThat(named(events, "Acquire")).allSatisfy(event -> {
            assertThat(event.getThread("caller").getJavaName())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(event.getDuration("waited")).isPositive();
        });
    }

    /** A recording is begun when something is wrong, and what is lost then may be held for days. */
    @Test
    void whatWasHeldBeforeTheRecordingIsSeenToBeLost() throws Exception {
        LockClient client = connect();
        Recorder recorder = new Recorder();
        RLock plain = client.getLock("plain");
        RLock heard =
                client.getLock("heard", LockOptions.builder().listener(recorder).build());
        List<LockHold> held = List.of(plain.acquire(), heard.acquire());
        try (Recording recording = new Recording()) {
            recording.enable(PREFIX + "Lost");
            recording.start();
            plain.forceUnlock();
            heard.forceUnlock();
            eventually(() -> assertThat(recorder.heard()).contains("lost FORCED"));
            recording.stop();
            Path file = directory.resolve("losses.jfr");
            recording.dump(file);
            assertThat(named(RecordingFile.readAllEvents(file), "Lost"))
                    .extracting(event -> event.getString("lock"))
                    .containsExactlyInAnyOrder("plain", "heard");
        }
        held.forEach(lost -> assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class));
    }

    private static List<String> outcomes(List<RecordedEvent> events, String name) {
        return named(events, name).stream()
                .map(event -> event.getString("outcome"))
                .toList();
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(PREFIX + name))
                .toList();
    }
}
