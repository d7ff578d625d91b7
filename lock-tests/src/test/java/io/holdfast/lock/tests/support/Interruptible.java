package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A thread of a test that is going to be interrupted, and whose end is looked at. */
public final class Interruptible {

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Thread thread;
    private volatile @Nullable Throwable failure;

    private Interruptible(Step step) {
        this.thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (Throwable thrown) {
                        failure = thrown;
                    }
                },
                "interruptible");
        thread.setDaemon(true);
    }

    /** Starts a thread. */
    public static Interruptible start(Step step) {
        Interruptible started = new Interruptible(step);
        started.thread.start();
        return started;
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Waits until the thread waits, with its interrupt flag cleared or never set. */
    public void awaitParked() {
        await().pollInterval(Duration.ofMillis(1))
                .atMost(LONGEST)
                .until(() -> thread.getState() == Thread.State.WAITING && !thread.isInterrupted());
    }

    /** Waits for the end, which must be an InterruptedException. */
    public void awaitInterrupted() {
        end();
        assertThat(failure).isInstanceOf(InterruptedException.class);
    }

    /** Waits for the end, which must be a proper one, or an InterruptedException. */
    public void awaitEnd() {
        end();
        Throwable thrown = failure;
        if (thrown != null && !(thrown instanceof InterruptedException)) {
            throw new AssertionError("the thread failed", thrown);
        }
    }

    private void end() {
        try {
            thread.join(LONGEST.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        assertThat(thread.isAlive())
                .as(() -> "still running: " + java.util.Arrays.toString(thread.getStackTrace()))
                .isFalse();
    }

    /** What the thread does. */
    public interface Step {
        void run() throws Exception;
    }
}
