package io.holdfast.lock.tests.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.tests.harness.EventChecker;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What listeners and recordings are told of permits: each is an acquisition and a hold of its own, also where a call takes several. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PermitEventsTest extends ServerTest {

    private static final String NAME = "slots";
    private static final int CALLS = 80;
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final EventChecker checker = new EventChecker();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private LockClient client;
    private LockClient other;
    private RPermitExpirableSemaphore slots;

    /** Notes what of a call is told in which order, without what differs from run to run. */
    private final class Notes implements LockListener {

        @Override
        public Object started(String lockName) {
            told.add("started " + lockName);
            return told.size();
        }

        @Override
        public void waiting(LockEvent event) {
            told.add("waiting at " + event.position().orElseThrow());
        }

        @Override
        public void acquired(LockEvent event) {
            told.add("acquired");
        }

        @Override
        public void refused(LockEvent event) {
            told.add("refused " + event.failureReason().orElseThrow());
        }

        @Override
        public void released(LockEvent event) {
            told.add("released");
        }
    }

    @BeforeEach
    void connectClients() {
        client = connect();
        other = connect();
        slots = client.getPermitExpirableSemaphore(NAME, options(LockListener.of(checker, new Notes())));
        slots.setPermits(3);
    }

    @AfterEach
    void everyEventWasInItsTurn() {
        raw.command("DEL", "holdfast:{" + NAME + "}:limit");
        eventually(checker::checkAllEnded);
    }

    @Test
    void aCallForSeveralIsToldOncePerPermit() throws Exception {
        String held = other.getPermitExpirableSemaphore(NAME).acquire();
        RFuture<List<String>> all = slots.acquireAsync(3);
        eventually(() -> assertThat(told)
                .containsExactly(
                        "started slots",
                        "started slots",
                        "started slots",
                        "waiting at 1",
                        "waiting at 1",
                        "waiting at 1"));
        other.getPermitExpirableSemaphore(NAME).release(held);
        List<String> ids = Futures.get(all);
        eventually(() -> assertThat(List.copyOf(told).subList(6, told.size()))
                .containsExactly("acquired", "acquired", "acquired"));
        slots.release(ids);
        eventually(() -> assertThat(List.copyOf(told).subList(9, told.size()))
                .containsExactly("released", "released", "released"));
        assertThat(checker.calls()).isEqualTo(3);
    }

    @Test
    void aRefusedCallForSeveralIsToldOncePerPermit() throws Exception {
        other.getPermitExpirableSemaphore(NAME).acquire(2);
        assertThat(slots.tryAcquire(2)).isEmpty();
        eventually(() -> assertThat(told)
                .containsExactly(
                        "started slots",
                        "started slots",
                        "refused " + FailureReason.HELD_BY_ANOTHER,
                        "refused " + FailureReason.HELD_BY_ANOTHER));
        other.close();
    }

    /** Calls of both views for one to three, which are granted, refused, late or given up; permits are lost now and then. */
    @Test
    void everyCallIsToldOnceAndInOrder() throws Exception {
        RSemaphore ofClient = client.getSemaphore(NAME, options(checker));
        Random random = new Random(23);
        int acquisitions = 0;
        try (Recording recording = new Recording()) {
            recording.enable("io.holdfast.lock.Acquire").withThreshold(Duration.ZERO);
            recording.enable("io.holdfast.lock.Hold").withThreshold(Duration.ZERO);
            recording.start();
            List<RFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                int permits = 1 + random.nextInt(3);
                Duration wait = Duration.ofMillis(random.nextInt(20));
                acquisitions += permits;
                RFuture<?> call =
                        switch (random.nextInt(3)) {
                            case 0 -> byId(permits, wait);
                            case 1 -> asHandles(permits, wait);
                            default -> ofClient(ofClient, permits, wait);
                        };
                calls.add(call);
                if (i % 10 == 0) {
                    call.cancel(false);
                }
                if (i % 20 == 10) {
                    // Taken away past the library: what has a permit now loses it, and is told so when it gives it
                    // back.
                    raw.command("DEL", "holdfast:{" + NAME + "}:permits");
                }
                RFuture<?> older = calls.get(i / 2);
                eventually(() -> assertThat(older.isDone()).isTrue());
            }
            calls.forEach(call -> eventually(() -> assertThat(call.isDone()).isTrue()));
            eventually(() -> assertThat(client.holds()).isEmpty());
            eventually(checker::checkAllEnded);
            int expected = acquisitions;
            eventually(() -> checkRecorded(recording, expected));
        }
        assertThat(checker.calls()).isEqualTo(acquisitions);
    }

    private RFuture<List<String>> byId(int permits, Duration wait) {
        RFuture<List<String>> call = slots.tryAcquireAsync(permits, wait.toMillis(), LEASE.toMillis(), MILLISECONDS);
        call.thenAccept(ids -> ids.forEach(slots::tryReleaseAsync));
        return call;
    }

    private RFuture<List<LockHold>> asHandles(int permits, Duration wait) {
        RFuture<List<LockHold>> call = slots.tryAcquireHoldsAsync(permits, wait, LEASE);
        call.thenAccept(holds -> holds.forEach(LockHold::releaseAsync));
        return call;
    }

    private static RFuture<Boolean> ofClient(RSemaphore semaphore, int permits, Duration wait) {
        RFuture<Boolean> call = semaphore.tryAcquireAsync(permits, wait);
        call.thenAccept(got -> {
            if (got) {
                semaphore.releaseAsync(permits);
            }
        });
        return call;
    }

    private void checkRecorded(Recording recording, int acquisitions) throws IOException {
        Path file = directory.resolve("permits.jfr");
        recording.dump(file);
        List<RecordedEvent> recorded = RecordingFile.readAllEvents(file).stream()
                .filter(event -> NAME.equals(event.getString("lock")))
                .toList();
        assertThat(named(recorded, "Acquire")).hasSize(acquisitions);
        long acquired = named(recorded, "Acquire").stream()
                .filter(event -> event.getString("outcome").equals("ACQUIRED"))
                .count();
        assertThat(acquired).isBetween(1L, acquisitions - 1L);
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
