package io.holdfast.lock.netty.connection;

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

    private final CallQueue queue = new CallQueue(3);

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
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.poll()).isSameAs(third);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void isBoundedWhereverTheCallsAre() {
        queue.offer(call(10));
        queue.offer(call(10));
        queue.lineUp(call -> {});
        assertThat(queue.offer(call(10))).isTrue();
        assertThat(queue.offer(call(10))).isFalse();
        queue.poll();
        assertThat(queue.offer(call(10))).isTrue();
        queue.expire(10, call -> {}, call -> {});
        assertThat(queue.offer(call(10))).isTrue();
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
        assertThat(queue.poll()).isSameAs(late);
    }

    @Test
    void countsRightUnderManyThreads() throws InterruptedException {
        CallQueue large = new CallQueue(1_000);
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
            if (large.poll() != null) {
                taken++;
            }
        }
        assertThat(taken).isEqualTo(accepted.get());
        for (int i = 0; i < 1_000; i++) {
            assertThat(large.offer(call(10))).isTrue();
        }
        assertThat(large.offer(call(10))).isFalse();
    }

    private static ScriptCall call(long deadlineNanos) {
        return new Probe(TestNode.ECHO, "key", "argument", deadlineNanos);
    }
}
