package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.TestNode;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Interval 2 s, timeout 500 ms. */
class HeartbeatTest {

    private final FakeRuntime runtime = new FakeRuntime();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> events = new ArrayList<>();
    private boolean expectsAnswer;
    private long expectsSinceNanos;

    private final Heartbeat heartbeat =
            new Heartbeat(runtime, TestNode.settings("redis://h", Duration.ofSeconds(2), 10), new Heartbeat.Patient() {
                @Override
                public boolean expectsAnswer() {
                    return expectsAnswer;
                }

                @Override
                public long expectsSince() {
                    return expectsSinceNanos;
                }

                @Override
                public void ping() {
                    events.add("ping");
                    expectsAnswer = true;
                    expectsSinceNanos = runtime.nanos();
                }

                @Override
                public void dead(long silenceNanos) {
                    events.add("dead after " + TimeUnit.NANOSECONDS.toMillis(silenceNanos));
                }
            });

    @BeforeEach
    void start() {
        channel.freezeTime();
        heartbeat.start(channel.eventLoop());
    }

    @AfterEach
    void finish() {
        heartbeat.stop();
        channel.finishAndReleaseAll();
    }

    @Test
    void anIdleConnectionIsTried() {
        pass(1_999);
        assertThat(events).isEmpty();
        pass(1);
        assertThat(events).containsExactly("ping");
    }

    @Test
    void anUnansweredPingIsTheEnd() {
        pass(2_499);
        assertThat(events).containsExactly("ping");
        pass(1);
        assertThat(events).containsExactly("ping", "dead after 2500");
    }

    @Test
    void anAnswerIsASignOfLife() {
        for (int i = 0; i < 10; i++) {
            pass(2_400);
            heartbeat.answered();
            expectsAnswer = false;
        }
        assertThat(events).containsOnly("ping");
    }

    @Test
    void aTrickleOfAnAnswerIsNone() {
        owe();
        for (int i = 1; i <= 2_499; i++) {
            heartbeat.progressed(i);
            pass(1);
        }
        assertThat(events).isEmpty();
        pass(1);
        assertThat(events).containsExactly("dead after 2500");
    }

    @Test
    void aLongAnswerIsASignOfLifeWithEach64KiB() {
        owe();
        for (int i = 1; i <= 10; i++) {
            pass(2_499);
            heartbeat.progressed(i * 65_536L);
        }
        assertThat(events).isEmpty();
        pass(2_400);
        heartbeat.progressed(11 * 65_536L - 1);
        pass(100);
        assertThat(events).containsExactly("dead after 2500");
    }

    @Test
    void theNextAnswerIsCountedFromItsOwnBeginning() {
        owe();
        heartbeat.progressed(1_000_000);
        heartbeat.answered();
        pass(2_000);
        heartbeat.progressed(65_536);
        pass(2_499);
        assertThat(events).isEmpty();
    }

    @Test
    void aBusyConnectionIsNotTried() {
        for (int i = 0; i < 100; i++) {
            pass(100);
            heartbeat.answered();
        }
        assertThat(events).isEmpty();
    }

    @Test
    void anAnswerThatIsOwedMayTakeAnIntervalAndATimeout() {
        pass(1_900);
        owe();
        pass(2_499);
        assertThat(events).isEmpty();
        pass(1);
        assertThat(events).containsExactly("dead after 4400");
    }

    @Test
    void aLateBeatIsOurOwnFaultAndJudgesNobody() {
        pass(2_000);
        standStill(60_000);
        assertThat(events).containsExactly("ping");
        heartbeat.answered();
        expectsAnswer = false;
        pass(125);
        assertThat(events).containsExactly("ping");
    }

    @Test
    void aLateBeatIsForgivenOnce() {
        pass(2_000);
        standStill(60_000);
        pass(125);
        assertThat(events).hasSize(2).last().asString().startsWith("dead");
    }

    private void owe() {
        expectsAnswer = true;
        expectsSinceNanos = runtime.nanos();
    }

    /** Time goes by, and the event loop runs. */
    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            runtime.nanos += TimeUnit.MILLISECONDS.toNanos(1);
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Time goes by, and the event loop does not run before its end. */
    private void standStill(long millis) {
        runtime.nanos += TimeUnit.MILLISECONDS.toNanos(millis);
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
