package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens of Redisson's fenced locks and of ours have one order. */
@Tag("proof")
class FencedFleetTest extends SideBySide {

    private static final String COUNTERS = "redisson_lock_token:*";

    @ParameterizedTest
    @ValueSource(strings = {"stock", "{stock}:42", "}{stock}", "50%"})
    void holdersOfBothKindsHaveTokensInOneOrder(String name) {
        RFencedLock ours = client.getFencedLock(name);
        org.redisson.api.RFencedLock theirs = redisson.getFencedLock(name);
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tokens.add(ours.lockAndGetToken());
            ours.unlock();
            tokens.add(theirs.lockAndGetToken());
            theirs.unlock();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(raw.list("KEYS", COUNTERS)).hasSize(1);
        assertThat(theirs.getToken()).isEqualTo(Collections.max(tokens));
    }

    @Test
    void theirTokensGoOnFromOurs() {
        RFencedLock ours = client.getFencedLock("stock");
        org.redisson.api.RFencedLock theirs = redisson.getFencedLock("stock");
        long token = ours.lockAndGetToken();
        ours.unlock();
        assertThat(theirs.lockAndGetToken()).isEqualTo(token + 1);
        assertThat(theirs.lockAndGetToken()).as("their re-entry counts").isEqualTo(token + 2);
        theirs.unlock();
        theirs.unlock();
        assertThat(ours.lockAndGetToken()).isGreaterThan(token + 2);
        ours.unlock();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "9007199254740991", "1e30", "inf", "abc", ""})
    void aCounterThatNoTokenCanFollowEndsItsOwnCallOnly(String counter) throws Exception {
        raw.command("SET", "redisson_lock_token:{stock}", counter);
        try (LockHold other = client.getLock("{stock}:other").acquire()) {
            assertThatThrownBy(client.getFencedLock("stock")::lock)
                    .isInstanceOf(LockServerException.class)
                    .hasMessageContaining("holds no token below 2^53");
            assertThat(raw.text("GET", "redisson_lock_token:{stock}")).isEqualTo(counter);
            assertThat(raw.list("KEYS", "stock")).isEmpty();
            raw.command("DEL", "redisson_lock_token:{stock}");

            assertThat(client.getFencedLock("stock").lockAndGetToken()).isGreaterThan(other.fencingToken());
            client.getFencedLock("stock").unlock();
        }
    }

    @Test
    void aPlainLockLeavesNoCounter() throws Exception {
        RLock ours = client.getLock("stock");
        ours.lock();
        ours.lock();
        ours.unlock();
        ours.unlock();
        ours.acquire().close();
        assertThat(raw.list("KEYS", COUNTERS)).isEmpty();
    }

    @Test
    void aPlainLockCountsWhereACounterIs() throws Exception {
        org.redisson.api.RFencedLock theirs = redisson.getFencedLock("stock");
        long before = theirs.lockAndGetToken();
        theirs.unlock();
        try (LockHold hold = client.getLock("stock").acquire()) {
            assertThat(hold.fencingToken()).isGreaterThan(before);
            assertThat(theirs.getToken()).isEqualTo(hold.fencingToken());
        }
        long after = theirs.lockAndGetToken();
        theirs.unlock();
        assertThat(raw.text("GET", "redisson_lock_token:{stock}")).isEqualTo(Long.toString(after));
    }

    /** A hand-over inside our client mints on the counter as well. */
    @Test
    void aHandedOverLockCounts() throws Exception {
        RFencedLock ours = client.getFencedLock("stock");
        long first = ours.lockAndGetToken();
        Future<Long> waiting = background.submit(() -> {
            long token = ours.lockAndGetToken();
            ours.unlock();
            return token;
        });
        eventually(() -> assertThat(client.inspect("stock").localWaiters()).isEqualTo(1));
        ours.unlock();
        long handed = Futures.get(waiting);
        assertThat(handed).isGreaterThan(first);
        assertThat(redisson.getFencedLock("stock").getToken()).isEqualTo(handed);
    }

    @Test
    void aFencedMemberOfAMultiLockCounts() {
        RLock both = MultiLock.of(client.getFencedLock("a"), client.getLock("b"));
        both.lock();
        both.unlock();
        assertThat(raw.list("KEYS", COUNTERS)).containsExactly("redisson_lock_token:{a}");
    }

    /** The counter is lost, and a holder of theirs is the first to count again: its token says nothing until we count. */
    @Test
    void afterLostDataOurNextTokenPutsBothInOrderAgain() {
        RFencedLock ours = client.getFencedLock("stock");
        org.redisson.api.RFencedLock theirs = redisson.getFencedLock("stock");
        long lost = ours.lockAndGetToken();
        ours.unlock();
        raw.command("FLUSHALL");
        assertThat(theirs.lockAndGetToken()).isEqualTo(1);
        theirs.unlock();
        long ourNext = ours.lockAndGetToken();
        ours.unlock();
        long theirNext = theirs.lockAndGetToken();
        theirs.unlock();
        assertThat(List.of(lost, ourNext, theirNext)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aGuardedValueTakesWhatEitherKindWrites() throws Exception {
        FencedValue value = client.getFencedValue("stock");
        RFencedLock ours = client.getFencedLock("stock");
        org.redisson.api.RFencedLock theirs = redisson.getFencedLock("stock");
        long stale = 0;
        for (int i = 0; i < 3; i++) {
            long token = ours.lockAndGetToken(10, TimeUnit.SECONDS);
            assertThat(value.set("ours", token)).isTrue();
            ours.unlock();
            long next = theirs.lockAndGetToken(10, TimeUnit.SECONDS);
            assertThat(value.set("theirs", next)).isTrue();
            assertThat(value.set("stale", token)).isFalse();
            theirs.unlock();
            assertThat(next).isGreaterThan(stale);
            stale = token;
        }
    }
}
