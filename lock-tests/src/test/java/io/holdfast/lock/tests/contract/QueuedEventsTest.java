package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.tests.harness.EventChecker;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What listeners and recordings are told of fair and of read/write locks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueuedEventsTest extends ServerTest {

    private static final int CALLS = 80;

    @TempDir
    private Path directory;

    @Test
    void aCallThatWaitsIsToldWithItsPlaceAtTheServer() throws Exception {
        List<Integer> places = new CopyOnWriteArrayList<>();
        LockOptions heard = options(new LockListener() {
            @Override
            public void waiting(LockEvent event) {
                places.add(event.position().orElseThrow());
            }
        });
        LockClient client = connect();
        LockClient other = connect();
        LockHold held = other.getLock("wanted").acquire();
        List<RFuture<LockHold>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RLock lock = i % 2 == 0 ? other.getFairLock("wanted") : client.getFairLock("wanted", heard);
            waiting.add(lock.acquireAsync());
            int queued = i + 1;
            eventually(() -> assertThat(client.inspect("wanted").queue()).hasSize(queued));
        }
        eventually(() -> assertThat(places)
                .as("its calls are the first and second of its client")
                .containsExactly(2, 4));
        held.close();
        waiting.forEach(call -> Futures.get(call).close());
        assertThat(places).hasSize(2);
    }

    /** Calls of all kinds, which are granted, refused, late or given up, and whose lock is freed by force now and then. */
    @Test
    void everyCallIsToldOnceAndInOrder() throws Exception {
        EventChecker checker = new EventChecker();
        LockClient client = connect();
        RReadWriteLock both = client.getReadWriteLock("stock", options(checker));
        List<RLock> kinds = List.of(
                client.getLock("stock", options(checker)),
                client.getFairLock("stock", options(checker)),
                both.readLock(),
                both.readLock(),
                both.readLock(),
                both.writeLock());
        Random random = new Random(19);
        List<RFuture<Optional<LockHold>>> calls = new ArrayList<>();
        try (Recording recording = new Recording()) {
            recording.enable("io.holdfast.lock.Acquire").withThreshold(Duration.ZERO);
            recording.enable("io.holdfast.lock.Hold").withThreshold(Duration.ZERO);
            recording.start();
            for (int i = 0; i < CALLS; i++) {
                RLock lock = kinds.get(random.nextInt(kinds.size()));
                RFuture<Optional<LockHold>> call = lock.tryAcquireAsync(Duration.ofMillis(random.nextInt(20)));
                call.thenAccept(hold -> hold.ifPresent(LockHold::releaseAsync));
                calls.add(call);
                if (i % 10 == 0) {
                    call.cancel(false);
                }
                if (i % 20 == 0) {
                    kinds.get(random.nextInt(kinds.size())).forceUnlock();
                }
                RFuture<Optional<LockHold>> older = calls.get(i / 2);
                eventually(() -> assertThat(older.isDone()).isTrue());
            }
            eventually(checker::checkAllEnded);
            eventually(() -> checkRecorded(recording));
        }
        assertThat(checker.calls()).isEqualTo(CALLS);
        eventually(() -> assertThat(client.holds()).isEmpty());
    }

    private void checkRecorded(Recording recording) throws IOException {
        Path file = directory.resolve("kinds.jfr");
        recording.dump(file);
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(file);
        assertThat(named(recorded, "Acquire")).hasSize(CALLS);
        long acquired = named(recorded, "Acquire").stream()
                .filter(event -> List.of("ACQUIRED", "HANDED_OVER").contains(event.getString("outcome")))
                .count();
        assertThat(acquired).isBetween(1L, CALLS - 1L);
        assertThat(named(recorded, "Hold")).hasSize((int) acquired);
    }

    private static LockOptions options(LockListener listener) {
        return LockOptions.builder().listener(listener).build();
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.holdfast.lock." + name))
                .toList();
    }
}
