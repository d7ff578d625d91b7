package io.holdfast.lock.tests.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conditions while answers get lost, connections break and processes die: no signal is lost, and none counts twice. */
@Tag("proof")
class ConditionFaultsTest extends QueueTest {

    private static final String CONDITION = KEY + ":cond:full";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ITEMS = 150;

    private FaultProxy proxy;
    private LockClient far;

    @BeforeEach
    void connectFar() {
        proxy = closing(FaultProxy.to(redis));
        far = connectFarAgain();
    }

    private LockClient connectFarAgain() {
        return closing(LockClient.connect(
                proxy.url(),
                Clients.quick().clientRecord(false).commandTimeout(PATIENCE).build()));
    }

    private List<String> awaiting() {
        return raw.list("ZRANGE", CONDITION, "0", "-1");
    }

    private void awaitAwaiting(int number) {
        eventually(PATIENCE, () -> assertThat(awaiting()).hasSize(number));
    }

    /** The connection ends in place of the next answer to a request of conditions: five numbers, or four if it is granted; two of a signal. */
    private AtomicBoolean loseTheNext(String answer) {
        AtomicBoolean lost = new AtomicBoolean();
        proxy.onReply(reply -> reply.text().contains(answer) && lost.compareAndSet(false, true)
                ? FrameFate.cutAfter(0)
                : FrameFate.PASS);
        return lost;
    }

    private Background<Boolean> awaits(LockClient of, long millis) {
        Background<Boolean> call = Background.call(() -> {
            fair(of).lock();
            try {
                return fair(of).newCondition("full").await(millis, TimeUnit.MILLISECONDS);
            } finally {
                fair(of).unlock();
            }
        });
        String members = "w" + of.id() + ':' + call.thread().getId() + ':';
        eventually(PATIENCE, () -> assertThat(
                        call.isDone() || awaiting().stream().anyMatch(member -> member.startsWith(members)))
                .isTrue());
        return call;
    }

    private static void signal(LockClient of) {
        fair(of).lock();
        try {
            fair(of).newCondition("full").signal();
        } finally {
            fair(of).unlock();
        }
    }

    @Test
    void anAwaitWhoseAnswerWasLostAwaitsOnce() throws Exception {
        AtomicBoolean lost = loseTheNext("*5");
        Background<Boolean> call = awaits(far, 60_000);
        eventually(PATIENCE, () -> assertThat(lost).isTrue());
        awaitQuiet();
        assertThat(awaiting()).hasSize(1);
        signal(client);
        assertThat(call.result()).isTrue();
    }

    /** A signal whose answer was lost is repeated, and wakes one call. */
    @Test
    void aSignalWhoseAnswerWasLostCountsOnce() throws Exception {
        Background<Boolean> first = awaits(client, 60_000);
        Background<Boolean> second = awaits(other, 60_000);
        fair(far).lock();
        AtomicBoolean lost = loseTheNext("*2\r\n:1\r\n:1\r\n");
        fair(far).newCondition("full").signal();
        assertThat(lost).isTrue();
        fair(far).unlock();
        assertThat(first.result()).isTrue();
        assertThat(awaiting()).hasSize(1);
        signal(client);
        assertThat(second.result()).isTrue();
    }

    /** It is told by the repeated request that it had left, and by itself. */
    @Test
    void anEndOfTheTimeWhoseAnswerWasLostIsTold() throws Exception {
        AtomicBoolean lost = loseTheNext("*4");
        Background<Boolean> call = awaits(far, 400);
        assertThat(call.result()).isFalse();
        assertThat(lost).isTrue();
    }

    /** The call knows nothing of it: what it gave up and its place are undone, and it throws. */
    @Test
    void anAwaitThatIsNeverAnsweredThrowsAndLeavesNothing() throws Exception {
        LockClient hasty = closing(LockClient.connect(
                proxy.url(),
                Clients.quick()
                        .clientRecord(false)
                        .commandTimeout(Duration.ofMillis(300))
                        .maxOutage(Duration.ofMillis(600))
                        .build()));
        fair(hasty).lock();
        proxy.swallowReplies();
        assertThatThrownBy(() -> fair(hasty).newCondition("full").await())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("lock '" + NAME + "'");
        assertThat(fair(hasty).isHeldByCurrentThread()).isFalse();
        proxy.heal();
        proxy.cutAll();
        eventually(PATIENCE, () -> assertThat(lockKeys()).isEmpty());
    }

    /** Whatever breaks, each item is taken once and none is left: no signal is lost while its receiver lives. */
    @Test
    void producersAndConsumersLoseNoItemWhileConnectionsBreak() throws Exception {
        Store store = new Store(8);
        LockClient second = connectFarAgain();
        AtomicInteger taken = new AtomicInteger();
        List<Background<Boolean>> calls = new ArrayList<>();
        for (LockClient of : List.of(far, client, second)) {
            calls.add(Background.run(() -> {
                for (int i = 0; i < ITEMS; i++) {
                    store.put(fair(of));
                }
            }));
            calls.add(Background.run(() -> {
                for (int i = 0; i < ITEMS; i++) {
                    store.take(fair(of));
                    taken.incrementAndGet();
                }
            }));
        }
        while (calls.stream().anyMatch(call -> !call.isDone())) {
            int before = taken.get();
            eventually(PATIENCE, () -> assertThat(taken.get() > before + 5 || taken.get() == 3 * ITEMS)
                    .isTrue());
            proxy.cutAll();
            assertThat(calls).allSatisfy(call -> {
                if (call.isDone()) {
                    call.result();
                }
            });
        }
        assertThat(taken).hasValue(3 * ITEMS);
        assertThat(store.size()).isZero();
    }

    /** A bounded store as the JDK's documentation has it, but for its lock. Only the lock's owner touches it. */
    private static final class Store {

        private final ArrayDeque<Integer> items = new ArrayDeque<>();
        private final int most;

        Store(int most) {
            this.most = most;
        }

        int size() {
            return items.size();
        }

        void put(RLock lock) throws InterruptedException {
            RCondition room = lock.newCondition("room");
            lock.lock();
            try {
                while (items.size() >= most) {
                    room.await();
                }
                items.add(1);
                lock.newCondition("full").signal();
            } finally {
                lock.unlock();
            }
        }

        void take(RLock lock) throws InterruptedException {
            RCondition full = lock.newCondition("full");
            lock.lock();
            try {
                while (items.isEmpty()) {
                    full.await();
                }
                items.remove();
                lock.newCondition("room").signal();
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void processesAwaitAndAreSignalled() throws Exception {
        List<ChildJvm> children = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ChildJvm child = closing(ChildJvm.start(HolderProgram.class, redis.url()));
            child.hear("ready");
            child.say("await " + NAME);
            awaitAwaiting(i + 1);
            children.add(child);
        }
        signal(client);
        long first = Long.parseLong(children.get(0).hear("await "));
        signal(client);
        assertThat(Long.parseLong(children.get(1).hear("await "))).isGreaterThan(first);
        awaitAwaiting(1);
        signal(client);
        children.get(2).hear("await ");
    }

    /** It is signalled and dead: the lock goes on after a claim window, and the next signal wakes the next. */
    @Test
    void aProcessThatWasKilledWhileItAwaitedHoldsNoOneUp() throws Exception {
        ChildJvm child = closing(ChildJvm.start(HolderProgram.class, redis.url()));
        child.hear("ready");
        child.say("await " + NAME);
        awaitAwaiting(1);
        Background<Boolean> next = awaits(client, 60_000);
        child.close();
        signal(other);
        signal(other);
        assertThat(next.result()).isTrue();
        eventually(PATIENCE, () -> assertThat(lockKeys()).isEmpty());
    }
}
