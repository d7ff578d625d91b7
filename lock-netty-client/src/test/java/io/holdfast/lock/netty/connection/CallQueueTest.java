package io.holdfast.lock.netty.connection;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.Probe;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallQueueTest {

    private static final long PATIENCE = SECONDS.toNanos(1);

    private final Room room = new Room(3, PATIENCE);
    private final CallQueue queue = new CallQueue(room, PATIENCE);

    @Test
    void keepsOrderFromTheEntranceThroughTheLine() {
        ScriptCall first = call(10);
        ScriptCall second = call(20);
        ScriptCall third = call(30);
        queue.offer(first);
        queue.offer(second);
        List<ScriptCall> linedUp = new ArrayList<>();
        queue.lineUp(linedUp::add);
        assertThat(linedUp).containsExactly(first, second);
        queue.offer(third);
        assertThat(queue.poll(false)).isSameAs(first);
        assertThat(queue.poll(false)).isSameAs(second);
        assertThat(queue.poll(false)).isSameAs(third);
        assertThat(queue.poll(false)).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void isBoundedWhereverTheCallsAre() {
        queue.offer(call(10));
        queue.offer(call(10));
        queue.lineUp(call -> {});
        assertThat(queue.offer(call(10))).isTrue();
        assertThat(queue.offer(call(10))).isFalse();
        queue.poll(false);
        assertThat(queue.offer(call(10))).isTrue();
        queue.expire(10, call -> {}, call -> {});
        assertThat(queue.offer(call(10))).isTrue();
    }

    /** Nodes of a cluster share the room, and each has calls of its own. */
    @Test
    void ofQueuesWithOneRoomEachCountsItsOwn() {
        Room shared = new Room(10, PATIENCE);
        CallQueue one = new CallQueue(shared, PATIENCE, true);
        CallQueue other = new CallQueue(shared, PATIENCE, true);
        one.take(call(10));
        one.take(call(5));
        one.take(urgentCall());
        other.take(call(10));
        assertThat(one.size()).isEqualTo(2);
        assertThat(other.size()).isEqualTo(1);
        assertThat(shared.taken()).isEqualTo(3);
        one.takeOut(call -> call.deadlineNanos == 5, call -> {});
        other.lineUp(call -> {});
        other.expire(10, call -> {}, call -> {});
        assertThat(one.size()).isEqualTo(1);
        assertThat(other.size()).isZero();
        one.poll(false);
        one.poll(false);
        assertThat(one.size()).isZero();
        assertThat(shared.taken()).isZero();
    }

    @Test
    void urgentCallsGoFirstAndAreNotCounted() {
        ScriptCall first = call(10);
        ScriptCall urgent = urgentCall();
        ScriptCall alsoUrgent = urgentCall();
        queue.offer(first);
        queue.offer(urgent);
        queue.lineUp(call -> {});
        queue.offer(alsoUrgent);
        queue.offer(call(10));
        queue.offer(call(10));
        assertThat(queue.offer(call(10))).isFalse();
        assertThat(queue.offer(urgentCall())).isTrue();

        assertThat(queue.poll(false)).isSameAs(urgent);
        assertThat(queue.poll(true)).isSameAs(alsoUrgent);
        assertThat(queue.poll(true)).isNotNull();
        assertThat(queue.poll(true)).isNull();
        assertThat(room.places()).isZero();
        assertThat(queue.poll(false)).isSameAs(first);
        assertThat(room.places()).isOne();
    }

    @Test
    void nothingWaitsLongerThanItsPatience() {
        ScriptCall patient = call(System.nanoTime() + SECONDS.toNanos(30));
        queue.offer(patient);
        queue.lineUp(call -> {});
        assertThat(queue.dueNanos(patient)).isEqualTo(patient.sentNanos + SECONDS.toNanos(1));

        List<ScriptCall> expired = new ArrayList<>();
        queue.expire(patient.sentNanos + SECONDS.toNanos(1), expired::add, call -> {});

        assertThat(expired).containsExactly(patient);
        assertThat(room.places()).isEqualTo(3);
    }

    @Test
    void tellsTheExpiredFromTheOthers() {
        ScriptCall early = call(10);
        ScriptCall late = call(30);
        ScriptCall middle = call(20);
        queue.offer(early);
        queue.offer(late);
        queue.offer(middle);
        queue.lineUp(call -> {});
        List<ScriptCall> expired = new ArrayList<>();
        List<ScriptCall> waiting = new ArrayList<>();
        queue.expire(20, expired::add, waiting::add);
        assertThat(expired).containsExactly(early, middle);
        assertThat(waiting).containsExactly(late);
        assertThat(queue.poll(false)).isSameAs(late);
    }

    /** Those that a slow connection can't take in time would come back for ever, and keep the event loop from its work. */
    @Test
    void fewerMayWaitWhereACallHasWaitedInVain() {
        Room space = new Room(65_536, PATIENCE);
        CallQueue large = new CallQueue(space, PATIENCE);
        space.isTooLong(SECONDS.toNanos(1));
        assertThat(space.places()).isEqualTo(8_192);
        space.isTooLong(SECONDS.toNanos(2) - 1);
        assertThat(space.places()).isEqualTo(8_192);
        space.isTooLong(SECONDS.toNanos(2));
        space.isTooLong(SECONDS.toNanos(3));
        assertThat(space.places()).isEqualTo(1_024);
        assertThat(offers(large, 2_000)).isEqualTo(1_024);
        assertThat(space.isHalfEmpty()).isFalse();
    }

    @Test
    void moreMayWaitAgainWhereTheyAreTakenInTime() {
        Room space = new Room(3_000, PATIENCE);
        CallQueue large = new CallQueue(space, PATIENCE);
        space.isTooLong(0);
        assertThat(space.places()).isEqualTo(1_024);
        for (int room : new int[] {1_024, 2_048}) {
            assertThat(space.places()).isEqualTo(room);
            assertThat(offers(large, room)).isEqualTo(room);
            for (int i = 0; i < room; i++) {
                assertThat(large.poll(false)).isNotNull();
            }
        }
        assertThat(space.places()).isEqualTo(3_000);
    }

    @Test
    void aSmallLimitStays() {
        room.isTooLong(SECONDS.toNanos(1));
        assertThat(room.places()).isEqualTo(3);
    }

    @Test
    void oneLookTellsOfSoManyOnly() {
        Room space = new Room(3_000, PATIENCE);
        CallQueue large = new CallQueue(space, PATIENCE);
        assertThat(offers(large, 2_500)).isEqualTo(2_500);
        large.lineUp(call -> {});
        List<ScriptCall> expired = new ArrayList<>();
        List<ScriptCall> waiting = new ArrayList<>();
        large.expire(20, expired::add, waiting::add);
        assertThat(expired).hasSize(1_024);
        assertThat(waiting).hasSize(2_500 - 1_024);
        large.expire(20, expired::add, waiting::add);
        large.expire(20, expired::add, waiting::add);
        assertThat(expired).hasSize(2_500).doesNotHaveDuplicates();
        assertThat(space.places()).isEqualTo(3_000);
    }

    private static int offers(CallQueue to, int most) {
        int taken = 0;
        for (int i = 0; i < most; i++) {
            taken += to.offer(call(10)) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void countsRightUnderManyThreads() throws InterruptedException {
        Room space = new Room(1_000, PATIENCE);
        CallQueue large = new CallQueue(space, PATIENCE);
        AtomicInteger accepted = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            if (large.offer(call(10))) {
                                accepted.incrementAndGet();
                            }
                        }
                        done.countDown();
                    })
                    .start();
        }
        int taken = 0;
        while (done.getCount() > 0 || !large.isEmpty()) {
            if (large.poll(false) != null) {
                taken++;
            }
        }
        assertThat(taken).isEqualTo(accepted.get());
        for (int i = 0; i < 1_000; i++) {
            assertThat(large.offer(call(10))).isTrue();
        }
        assertThat(large.offer(call(10))).isFalse();
    }

    private static ScriptCall urgentCall() {
        return new Probe(TestNode.URGENT_ECHO, "key", "argument", System.nanoTime() + SECONDS.toNanos(10));
    }

    private static ScriptCall call(long deadlineNanos) {
        return new Probe(TestNode.ECHO, "key", "argument", deadlineNanos);
    }
}
