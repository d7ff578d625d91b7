package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/** What calls do with their holds, where these are played. */
class GripTest {

    private final Played played = new Played();
    private final LockClient client = played.client();
    private final LockTemplate locks = new LockTemplate(client);

    /** A client whose locks are granted at once. */
    private static final class Played {

        private final List<Consumer<LockLoss>> callbacks = new ArrayList<>();
        private final List<String> released = new ArrayList<>();
        private boolean mayWait = true;
        private boolean lost;

        LockClient client() {
            return played(LockClient.class, (method, arguments) -> switch (method) {
                case "id" -> "client";
                case "getReadWriteLock" -> played(RReadWriteLock.class, (half, none) -> lock());
                default -> lock();
            });
        }

        private RLock lock() {
            return played(RLock.class, (method, arguments) -> Optional.of(hold("played")));
        }

        LockHold hold(String name) {
            return played(LockHold.class, (method, arguments) -> switch (method) {
                case "name", "toString" -> name;
                case "hashCode" -> 1;
                case "onLost" -> {
                    callbacks.add(callback(arguments[0]));
                    yield null;
                }
                case "ensure" -> {
                    if (lost) {
                        throw new LockLostException("lost", name, "owner", "node", LossReason.LEASE_EXPIRED);
                    }
                    yield null;
                }
                case "state" -> lost ? HoldState.LOST : HoldState.HELD;
                case "release" -> {
                    if (!mayWait) {
                        throw new IllegalStateException("release on an event loop");
                    }
                    released.add(name);
                    yield null;
                }
                case "releaseAsync" -> {
                    released.add(name);
                    yield new Ended();
                }
                default -> throw new UnsupportedOperationException(method);
            });
        }

        @SuppressWarnings("unchecked")
        private static Consumer<LockLoss> callback(Object argument) {
            return (Consumer<LockLoss>) argument;
        }

        void lose() {
            lost = true;
            List.copyOf(callbacks).forEach(callback -> callback.accept(null));
        }
    }

    private static final class Ended extends CompletableFuture<@Nullable Void> implements RFuture<@Nullable Void> {

        Ended() {
            complete(null);
        }
    }

    private interface Answers {

        @Nullable
        Object to(String method, Object[] arguments);
    }

    private static <T> T played(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("equals")
                        ? (Object) (proxy == arguments[0])
                        : answers.to(method.getName(), arguments)));
    }

    private LockRequest request(String key) {
        return new LockRequest(client, List.of(key), Kind.PLAIN, "", Duration.ZERO, null, null, "a test");
    }

    @AfterEach
    void clear() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationUtils.triggerAfterCompletion(TransactionSynchronization.STATUS_COMMITTED);
            TransactionSynchronizationManager.clear();
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Who was the last one to leave may be on a thread that may not wait: it has joined, so it did not have to before. */
    @Test
    void aLockIsGivenBackOnAThreadThatMayNotWaitToo() {
        played.mayWait = false;
        Grip grip = new Grip(
                "", List.of(new Holding(request("a"), played.hold("a")), new Holding(request("b"), played.hold("b"))));
        assertThat(grip.end()).isNull();
        assertThat(played.released).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aCallThatHasEndedIsNoLockForThoseThatOutliveIt() {
        Grip grip = new Grip("nightly", List.of(new Holding(request("a"), played.hold("a"))));
        Inside inside = new Inside(grip, true, null);
        LockAssert.check(inside, "a");
        LockAssert.check(inside, "nightly");
        assertThatThrownBy(() -> LockAssert.check(inside, "")).isInstanceOf(IllegalStateException.class);
        grip.end();
        for (String wanted : List.of("a", "nightly")) {
            assertThatThrownBy(() -> LockAssert.check(inside, wanted))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("held here: none");
        }
    }

    @Test
    void anUnnamedCallIsNotFoundByAnEmptyName() {
        Grip grip = new Grip("", List.of(new Holding(request("a"), played.hold("a"))));
        assertThatThrownBy(() -> LockAssert.check(new Inside(grip, true, null), ""))
                .isInstanceOf(IllegalStateException.class);
    }

    /** A long job with many calls further in would else keep something of each one to its end. */
    @Test
    void callsFurtherInLeaveNothingBehindAtTheOuterHold() {
        LockTemplate interrupting = locks.onLost(OnLost.INTERRUPT);
        interrupting.run("a", outer -> {
            for (int i = 0; i < 100; i++) {
                interrupting.run("a", inner -> {});
            }
        });
        assertThat(played.callbacks).hasSizeLessThan(3);
    }

    @Test
    void aLossStillReachesTheCallsFurtherIn() {
        LockTemplate interrupting = locks.onLost(OnLost.INTERRUPT);
        assertThatThrownBy(() -> locks.run(
                        "a",
                        outer -> interrupting.run("a", inner -> {
                            played.lose();
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        })))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void aLeastTimeIsForgottenWithItsClient() {
        List<WeakReference<MinimumTime>> known = new ArrayList<>();
        known.add(new WeakReference<>(ended()));
        played.lose();
        played.callbacks.clear();
        await().until(() -> {
            System.gc();
            return known.get(0).get() == null;
        });
    }

    private MinimumTime ended() {
        MinimumTime minimum = new MinimumTime(played.hold("daily"), Duration.ofHours(1), true, MinimumTime.USUAL_LEASE);
        minimum.begin();
        minimum.end();
        return minimum;
    }

    /** The call that read has ended, and its transaction has not. */
    @Test
    void whatATransactionReadsIsNotWrittenByALaterCallOfIt() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        LockTemplate reading = locks.kind(Kind.READ);
        LockTemplate writing = locks.kind(Kind.WRITE);
        reading.run("a", hold -> {});
        reading.run("a", hold -> {});
        assertThatThrownBy(() -> writing.run("a", hold -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("lock 'a' for a LockTemplate: wanted as WRITE within what holds it as READ");
        TransactionSynchronizationUtils.triggerAfterCompletion(TransactionSynchronization.STATUS_COMMITTED);
        TransactionSynchronizationManager.clear();
        writing.run("a", hold -> {});
        assertThat(played.released).hasSize(2);
    }

    @Test
    void namesThatDifferWithEachCallFillNoMemory() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        Logger logger = (Logger) LoggerFactory.getLogger(TransactionLocks.class);
        ListAppender<ILoggingEvent> heard = new ListAppender<>();
        heard.start();
        logger.addAppender(heard);
        logger.setAdditive(false);
        try {
            for (int i = 0; i < 2_000; i++) {
                locks.name("call " + i).run("a", hold -> {});
            }
        } finally {
            logger.setAdditive(true);
            logger.detachAppender(heard);
        }
        assertThat(heard.list).hasSizeBetween(1, 1_000);
    }
}
