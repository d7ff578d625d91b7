package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The calls of one client that wait for a fault to pass before they ask again: each for a pause of its own, or until a node
 * is back, which may be what they lack (rule 21).
 */
public final class Retries {

    private final Runtime runtime;

    /** In the order in which they came. Guarded by its monitor. */
    private final Set<Retry> waiting = new LinkedHashSet<>();

    public Retries(Runtime runtime) {
        this.runtime = runtime;
    }

    /**
     * Lets a call wait.
     *
     * @param askAgain called at most once, from any thread
     * @return ends the wait
     */
    public Timer after(long pauseNanos, Runnable askAgain) {
        Retry retry = new Retry(askAgain);
        synchronized (waiting) {
            waiting.add(retry);
        }
        retry.timer = runtime.after(pauseNanos, retry::goOn);
        return retry;
    }

    /** A node is back, or counts from now on: nothing is left to wait for. */
    public void nodeIsBack() {
        List<Retry> all;
        synchronized (waiting) {
            all = List.copyOf(waiting);
        }
        all.forEach(Retry::goOn);
    }

    private final class Retry implements Timer {

        private final Runnable askAgain;
        private volatile Timer timer = () -> {};

        Retry(Runnable askAgain) {
            this.askAgain = askAgain;
        }

        @Override
        public void cancel() {
            leave();
            timer.cancel();
        }

        void goOn() {
            if (leave()) {
                timer.cancel();
                askAgain.run();
            }
        }

        private boolean leave() {
            synchronized (waiting) {
                return waiting.remove(this);
            }
        }
    }
}
