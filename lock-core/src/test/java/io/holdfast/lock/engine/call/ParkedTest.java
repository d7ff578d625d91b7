package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A result for which a thread waits: here, what happens meanwhile is a list of events. */
class ParkedTest {
    private final Deque<Runnable> events = new ArrayDeque<>();
    private final List<Boolean> answerOnly = new ArrayList<>();
    private final List<Thread> woken = new ArrayList<>();
    private final AtomicInteger withdrawn = new AtomicInteger();
    private boolean allowed = true;
    private boolean allowedForOthers = true;
    private final Parked<String> parked = new Parked<>(new Meanwhile(), "lock");

    /** Returns from a wait after one event, as a thread returns from parking for any reason. */
    private final class Meanwhile implements Blocker {
        @Override
        public boolean mayWait() {
            return allowed;
        }

        @Override
        public boolean mayWaitForOthers() {
            return allowedForOthers;
        }

        @Override
        public void await(Awaited awaited) {
            answerOnly.add(awaited.needsOnlyAnAnswer());
            events.remove().run();
        }

        @Override
        public void unblock(Thread thread) {
            woken.add(thread);
        }
    }

    @AfterEach
    void noFlagIsLeftForTheNextTest() {
        Thread.interrupted();
    }

    @Test
    void aThreadThatMustNotWaitIsRefusedBeforeAnythingIsSent() {
        allowed = false;
        String thread = Thread.currentThread().getName();
        assertThatIllegalStateException()
                .isThrownBy(() -> new Parked<>(new Meanwhile(), "inspect"))
                .withMessageStartingWith("inspect would block " + thread + ", a thread that serves connections");
        assertThatIllegalStateException()
                .isThrownBy(() -> new Parked<>(new Meanwhile(), "tryLock", "stock"))
                .withMessageStartingWith("tryLock on lock 'stock' would block " + thread);
    }

    @Test
    void aResultWakesTheThreadThatWaits() {
        events.add(() -> {});
        events.add(() -> parked.complete("value"));

        assertThat(parked.await()).isEqualTo("value");
        assertThat(woken).containsExactly(Thread.currentThread());
    }

    @Test
    void aCallThatIsMadeToWaitNeedsMoreThanAnAnswer() {
        Parked<String> forOthers = Parked.forOthers(new Meanwhile(), "lock", "stock");
        events.add(forOthers::onMadeToWait);
        events.add(() -> forOthers.complete("value"));

        forOthers.await();

        assertThat(answerOnly).containsExactly(true, false);
    }

    @Test
    void whatIsSettledStaysSettled() {
        assertThat(parked.complete("value")).isTrue();

        assertThat(parked.complete("other")).isFalse();
        assertThat(parked.fail(new IllegalStateException())).isFalse();
        assertThat(parked.abandon()).isFalse();

        assertThat(parked.await()).isEqualTo("value");
        assertThat(woken).hasSize(1);
    }

    @Test
    void aFailureShowsWhereTheCallWasMade() {
        IllegalStateException failure = new IllegalStateException("refused");
        failure.setStackTrace(new StackTraceElement[0]);
        parked.fail(failure);

        assertThatThrownBy(parked::await).isSameAs(failure);
        assertThat(failure.getStackTrace()).anyMatch(line -> line.getClassName().equals(ParkedTest.class.getName()));
    }

    @Test
    void anInterruptDoesNotEndAWaitAndTheFlagIsKept() {
        events.add(() -> Thread.currentThread().interrupt());
        events.add(() -> {
            assertThat(Thread.currentThread().isInterrupted())
                    .as("a flag would keep the thread from parking")
                    .isFalse();
            parked.complete("value");
        });

        assertThat(parked.await()).isEqualTo("value");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptEndsAnInterruptibleWaitAndWithdrawsTheCall() {
        events.add(() -> Thread.currentThread().interrupt());

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> parked.awaitInterruptibly(withdrawn::incrementAndGet));

        assertThat(withdrawn).hasValue(1);
        assertThat(Thread.interrupted())
                .as("the exception takes the place of the flag")
                .isFalse();
        assertThat(parked.complete("late"))
                .as("the caller of complete() keeps the value")
                .isFalse();
    }

    @Test
    void aResultThatIsDecidedIsWaitedForUntilItCanBeSeen() throws InterruptedException {
        assertThat(parked.decide("value")).isTrue();
        events.add(() -> Thread.currentThread().interrupt());
        events.add(parked::onSettled);

        assertThat(parked.awaitInterruptibly(withdrawn::incrementAndGet)).isEqualTo("value");
        assertThat(events).isEmpty();
        assertThat(withdrawn).hasValue(0);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aThreadThatMustNotWaitForOthersMayWaitForAnAnswer() {
        allowedForOthers = false;
        assertThatIllegalStateException()
                .isThrownBy(() -> Parked.forOthers(new Meanwhile(), "lock", "stock"))
                .withMessageStartingWith("lock on lock 'stock' would block "
                        + Thread.currentThread().getName() + ", and all threads for callbacks are busy");
        assertThat(new Parked<>(new Meanwhile(), "unlock", "stock").isDone()).isFalse();
    }

    @Test
    void aResultThatComesWithAnInterruptWinsAndTheFlagIsKept() throws InterruptedException {
        events.add(() -> {
            Thread.currentThread().interrupt();
            parked.complete("value");
        });

        assertThat(parked.awaitInterruptibly(withdrawn::incrementAndGet)).isEqualTo("value");
        assertThat(withdrawn).hasValue(0);
        assertThat(Thread.interrupted()).isTrue();
    }
}
