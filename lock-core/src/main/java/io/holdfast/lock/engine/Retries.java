package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of one client that wait for a fault to pass before they ask again: each for a pause of its own, or until a node
 * is back, which may be what they lack (rule 21).
 */
final class Retries {

    private final Runtime runtime;
    private final Set<Retry> waiting = ConcurrentHashMap.newKeySet();

    Retries(Runtime runtime) {
        this.runtime = runtime;
    }

    /**
     * Lets a call wait.
     *
     * @param askAgain called at most once, from any thread
     * @return ends the wait
     */
    Timer after(long pauseNanos, Runnable askAgain) {
        Retry retry = new Retry(askAgain);
        waiting.add(retry);
        retry.timer = runtime.after(pauseNanos, retry::goOn);
        return retry;
    }

    /** A node is back, or counts from now on: nothing is left to wait for. */
    void nodeIsBack() {
        for (Retry retry : List.copyOf(waiting)) {
            retry.goOn();
        }
    }

    private final class Retry implements Timer {

        private final Runnable askAgain;
        private volatile Timer timer = () -> {};

        Retry(Runnable askAgain) {
            this.askAgain = askAgain;
        }

        @Override
        public void cancel() {
            waiting.remove(this);
            timer.cancel();
        }

        void goOn() {
            if (waiting.remove(this)) {
                timer.cancel();
                askAgain.run();
            }
        }
    }
}
