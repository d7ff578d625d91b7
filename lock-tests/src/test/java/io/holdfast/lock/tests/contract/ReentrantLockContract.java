package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.tests.support.Party;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every lock must do whose owner can take it again. */
abstract class ReentrantLockContract extends LockContract {

    ReentrantLockContract(LockCase lock) {
        super(lock);
    }

    @Test
    void reEntriesAreCountedOnTheServerAsInTheClient() throws Exception {
        for (int count = 1; count <= 4; count++) {
            a.lock();
            assertHeldTimes(count);
        }
        assertThat(a.tryLock()).isTrue();
        assertThat(a.tryLock(SHORT, LONG)).isTrue();
        assertHeldTimes(6);
        for (int count = 5; count >= 1; count--) {
            a.unlock();
            assertHeldTimes(count);
            assertThat(c.tryLock()).isFalse();
        }
        a.unlock();
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(c.tryLock()).isTrue();
        c.unlock();
    }

    private void assertHeldTimes(int count) {
        assertThat(a.holdCount()).isEqualTo(count);
        assertHeld(stored(count));
    }

    @Test
    void aReEntryWithAShorterLeaseDoesNotShortenTheHold() throws Exception {
        a.lock();
        a.lock(Duration.ofSeconds(2));
        assertThat(timeToLive()).isGreaterThan(20_000);
        a.unlock();
        assertThat(timeToLive()).isGreaterThan(20_000);
        a.unlock();
    }

    @Test
    void aReEntryWithALongerLeaseLengthensTheHold() throws Exception {
        a.lock(Duration.ofSeconds(2));
        a.lock(Duration.ofSeconds(50));
        assertThat(timeToLive()).isGreaterThan(40_000);
        a.unlock();
        a.unlock();
    }

    /** Defect 6 of the peer: the watchdog ended although a level was left that it had to renew. */
    @Tag("proof")
    @Test
    void aLevelWithAFixedLeaseDoesNotEndTheWatchdogOfAnotherLevel() throws Exception {
        LockOptions watched =
                options().toBuilder().watchdogLease(Duration.ofMillis(900)).build();
        Party holder = party(client, "watched", watched);
        Party rival = keep(form.party(other.lock("watched", watched), ground));
        holder.lock();
        holder.lock(Duration.ofMillis(300));
        holder.unlock();
        assertThat(rival.tryLock(Duration.ofMillis(2_700))).isFalse();
        holder.unlock();
        assertThat(rival.tryLock()).isTrue();
        rival.unlock();
    }

    @Test
    void aReEntryAfterTheKeyHasGoneDoesNotRecreateIt() throws Exception {
        a.lock();
        deleteKey();
        assertThatThrownBy(a::lock).isInstanceOf(LockLostException.class);
        assertThat(lockKeys()).isEmpty();
        assertThatThrownBy(a::unlock).isInstanceOf(LockLostException.class);
        a.lock();
        assertThat(a.holdCount()).isEqualTo(1);
        a.unlock();
    }

    /** Each level that was taken before the loss is told of it, and then the owner is a stranger. */
    @Test
    void everyReleaseThatWasOwedTellsTheLoss() throws Exception {
        a.lock();
        a.lock();
        a.lock();
        lock(client).forceUnlock();
        for (int release = 0; release < 3; release++) {
            assertThatThrownBy(a::unlock).isInstanceOf(LockLostException.class);
        }
        assertThatThrownBy(a::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LockLostException.class);
    }

    @Test
    void aStrangerCannotReleaseAndIsToldWhoHolds() throws Exception {
        assertThatThrownBy(b::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("not held by thread");
        a.lock();
        assertThatThrownBy(b::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("'" + NAME + "'")
                .hasMessageMatching("(?s).*acquired by thread \\d+, released from thread \\d+;.*")
                .hasMessageContaining("pass the thread id or use acquireAsync");
        assertThat(a.holds()).isTrue();
        a.unlock();
    }
}
