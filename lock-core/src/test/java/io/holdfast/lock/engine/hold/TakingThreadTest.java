package io.holdfast.lock.engine.hold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is remembered of the thread that took a lock. */
class TakingThreadTest {

    @Test
    void oneThreadIsRememberedOnceForAllItsHolds() {
        Thread thread = Thread.currentThread();
        assertThat(TakingThread.of(thread)).isSameAs(TakingThread.of(thread));
    }

    @Test
    void threadsThatShareAPlaceAreToldApart() {
        // As many as there are places, and one more.
        for (int i = 0; i < 65; i++) {
            Thread thread = new Thread(() -> {}, "taker-" + i);
            assertThat(TakingThread.of(thread).nameIfDead()).isEqualTo("taker-" + i);
        }
    }

    /** A pool's threads are named after what they do. */
    @Test
    void itsNameIsThatOfTheMomentWhenItTookTheLock() {
        Thread thread = new Thread(() -> {}, "before");
        TakingThread earlier = TakingThread.of(thread);
        thread.setName("after");

        assertThat(TakingThread.of(thread).nameIfDead()).isEqualTo("after");
        assertThat(earlier.nameIfDead()).isEqualTo("before");
    }
}
