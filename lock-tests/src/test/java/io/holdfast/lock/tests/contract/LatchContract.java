package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RSignal;
import io.holdfast.lock.tests.support.Ground;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every count-down latch and every signal must do. Two applications share them. */
abstract class LatchContract {

    private static final String NAME = "import:42\nready";
    private static final String KEY = "holdfast:{" + NAME + "}:latch";
    private static final Duration LONG = Duration.ofSeconds(20);

    private Ground ground;
    private LockClient client;
    private LockClient other;
    private RCountDownLatch latch;
    private RCountDownLatch same;

    final void begin(Ground newGround) {
        ground = newGround;
        client = connect();
        other = connect();
        latch = client.getCountDownLatch(NAME);
        same = other.getCountDownLatch(NAME);
    }

    private LockClient connect() {
        return ground.connect(ClientOptions.builder().clientRecord(false).build())
                .clients()
                .get(0);
    }

    final void end() throws Exception {
        ground.nodes().forEach(node -> node.keys().forEach(key -> {
            if (key.startsWith("holdfast:{")) {
                node.delete(key);
            }
        }));
        ground.end();
    }

    // --- counting ---

    @Test
    void itIsSetOnceAndCountsDown() {
        assertThat(latch.trySetCount(3)).isTrue();
        assertThat(same.trySetCount(5)).isFalse();
        assertThat(same.getCount()).isEqualTo(3);
        same.countDown();
        assertThat(latch.getCount()).isEqualTo(2);
        latch.countDown();
        same.countDown();
        assertThat(latch.getCount()).isZero();
        latch.countDown();
        assertThat(latch.getCount()).isZero();
    }

    @Test
    void anOpenLatchCanBeSetAgain() throws Exception {
        for (int count = 1; count <= 3; count++) {
            assertThat(latch.trySetCount(count)).isTrue();
            assertThat(latch.await(0, TimeUnit.SECONDS)).isFalse();
            for (int left = count; left > 0; left--) {
                assertThat(latch.getCount()).isEqualTo(left);
                same.countDown();
            }
            assertThat(latch.await(0, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void oneThatWasNeverSetIsOpen() throws Exception {
        assertThat(latch.getCount()).isZero();
        latch.countDown();
        latch.await();
        assertThat(latch.await(-1, TimeUnit.DAYS)).isTrue();
        assertThat(latch.delete()).isFalse();
        assertThat(ground.nodes().get(0).keys()).isEmpty();
    }

    @Test
    void aClosedOneStaysAndAnOpenOneIsForgottenAfterAnHour() {
        latch.trySetCount(1);
        assertThat(ground.nodes().get(0).timeToLive(KEY)).isEqualTo(-1);
        latch.countDown();
        assertThat(ground.nodes().get(0).timeToLive(KEY))
                .isBetween(
                        Duration.ofMinutes(59).toMillis(), Duration.ofHours(1).toMillis());
        assertThat(ground.nodes().get(0).keys()).noneMatch(key -> key.endsWith(":counted"));
        latch.trySetCount(1);
        assertThat(ground.nodes().get(0).timeToLive(KEY)).isEqualTo(-1);
    }

    @Test
    void manyThreadsCount() {
        latch.trySetCount(200);
        List<Future<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            RCountDownLatch counted = i % 2 == 0 ? latch : same;
            threads.add(ground.elsewhere(() -> {
                for (int time = 0; time < 20; time++) {
                    counted.countDown();
                }
                return true;
            }));
        }
        threads.forEach(ground::get);
        assertThat(latch.getCount()).isZero();
    }

    // --- waiting ---

    @Test
    void allWhoAwaitItGoOnTogether() {
        latch.trySetCount(2);
        List<Future<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            RCountDownLatch awaited = i % 2 == 0 ? latch : same;
            waiting.add(ground.elsewhere(() -> awaited.await(LONG.toSeconds(), TimeUnit.SECONDS)));
        }
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isPositive());
        latch.countDown();
        assertThat(waiting).noneMatch(Future::isDone);
        same.countDown();
        waiting.forEach(call -> assertThat(ground.get(call)).isTrue());
    }

    @Test
    void oneThatStaysClosedEndsTheWaitInTime() throws Exception {
        latch.trySetCount(1);
        long startNanos = ground.nanos();
        assertThat(same.await(200, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(Duration.ofNanos(ground.nanos() - startNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void oneThatIsSetAgainAtOnceHasOpened() {
        latch.trySetCount(1);
        Future<Boolean> waiting = waiting(same);
        latch.countDown();
        latch.trySetCount(5);
        assertThat(ground.get(waiting)).isTrue();
    }

    @Test
    void oneThatIsDeletedIsNotOpen() {
        latch.trySetCount(1);
        Future<Boolean> waiting = waiting(same);
        assertThat(latch.delete()).isTrue();
        assertThatThrownBy(() -> ground.get(waiting)).isInstanceOfSatisfying(LockLostException.class, lost -> {
            assertThat(lost.lossReason()).isEqualTo(LossReason.KEY_GONE);
            assertThat(lost.name()).hasValue(NAME);
        });
        assertThat(latch.delete()).isFalse();
    }

    @Test
    void oneThatIsDeletedAndSetAgainIsAnother() {
        latch.trySetCount(1);
        Future<Boolean> waiting = waiting(same);
        ground.nodes().get(0).delete(KEY);
        latch.trySetCount(1);
        latch.countDown();
        assertThatThrownBy(() -> ground.get(waiting)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aCancelledAwaitLeavesTheChannel() {
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync().toCompletableFuture();
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isPositive());
        waiting.cancel(true);
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isZero());
    }

    @Test
    void aClientThatIsClosedEndsItsWaits() {
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = same.awaitAsync().toCompletableFuture();
        other.close();
        assertThatThrownBy(() -> ground.get(waiting)).isInstanceOf(LockClientClosedException.class);
    }

    /** A call that waits, and hears messages. */
    private Future<Boolean> waiting(RCountDownLatch awaited) {
        Future<Boolean> waiting = ground.elsewhere(() -> awaited.await(LONG.toSeconds(), TimeUnit.SECONDS));
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isPositive());
        return waiting;
    }

    // --- signals ---

    @Test
    void aSignalIsHeardAndSeenByThoseWhoComeLater() throws Exception {
        RSignal signal = client.getSignal(NAME);
        RSignal heard = other.getSignal(NAME);
        assertThat(heard.current()).isZero();
        Future<OptionalLong> waiting = ground.elsewhere(() -> heard.await(0, LONG));
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isPositive());
        long first = signal.send();
        assertThat(ground.get(waiting)).hasValue(first);
        long second = signal.send();
        assertThat(second).isGreaterThan(first);
        assertThat(heard.await(first, LONG)).hasValue(second);
        assertThat(heard.await(second, Duration.ofMillis(100))).isEmpty();
        assertThat(heard.current()).isEqualTo(second);
    }

    @Test
    void aLatchASignalAndALockOfOneNameAreThreeThings() throws Exception {
        latch.trySetCount(1);
        client.getSignal(NAME).send();
        client.getLock(NAME).acquire().close();
        assertThat(same.getCount()).isEqualTo(1);
        assertThat(other.getLock(NAME).isLocked()).isFalse();
    }
}
