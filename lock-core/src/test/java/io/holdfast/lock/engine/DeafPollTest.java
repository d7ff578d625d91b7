package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.RLock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the head looks again while no messages arrive: soon, then every second, until they do (rule 79). */
class DeafPollTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");

    @BeforeEach
    void anotherClientHoldsTheLock() {
        lock.tryLockAsync(60, -1, SECONDS, 1);
        refuse();
    }

    @Test
    void beforeAConfirmationTheHeadLooksSoonAndThenEverySecond() {
        List<Long> pausesMillis = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pausesMillis.add(millisToTheNextLook());
            refuse();
        }

        assertThat(pausesMillis.get(0)).isBetween(225L, 251L);
        assertThat(pausesMillis.get(1)).isBetween(450L, 501L);
        assertThat(pausesMillis.subList(2, 5)).allMatch(millis -> millis >= 900 && millis <= 1_001);
    }

    @Test
    void aConfirmedSubscriptionMakesThePollLong() {
        backend.topic().confirm();
        refuse();

        assertThat(millisToTheNextLook()).isBetween(4_500L, 5_001L);
    }

    @Test
    void aLostSubscriptionMakesThePollShortAtOnce() {
        backend.topic().confirm();
        refuse();
        backend.runtime.advanceMillis(1_000);

        backend.topic().silence();

        assertThat(millisToTheNextLook()).isBetween(225L, 251L);
    }

    @Test
    void thePollGrowsAnewEveryTimeThatMessagesStop() {
        for (int i = 0; i < 3; i++) {
            millisToTheNextLook();
            refuse();
        }
        backend.topic().confirm();
        refuse();

        backend.topic().silence();

        assertThat(millisToTheNextLook()).isBetween(225L, 251L);
    }

    private void refuse() {
        backend.next("acquire").refused(60_000);
    }

    private long millisToTheNextLook() {
        long millis = 0;
        while (backend.open().isEmpty()) {
            backend.runtime.advanceMillis(1);
            millis++;
        }
        return millis;
    }
}
