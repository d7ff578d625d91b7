package io.holdfast.lock.examples.failover;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A caller without patience, that tries a lock of its own again and again: what becomes of it shows the failover guard. */
final class Gate implements AutoCloseable {

    /** What the latest try met, and how a picture shows it. */
    enum State {
        /** It was granted. */
        OPEN('-'),
        /** The primary is new, and grants nothing yet. */
        PAUSED('p'),
        /** Too few Sentinels name the primary. */
        NOT_VOUCHED('n'),
        /** There is no server that answers. */
        DOWN('x');

        private final char sign;

        State(char sign) {
            this.sign = sign;
        }

        char sign() {
            return sign;
        }
    }

    private static final String LOCK = "gate";
    private static final long BETWEEN_TRIES_MILLIS = 50;

    private final LockClient client;
    private final Thread thread = new Thread(this::tryAgainAndAgain, "gate");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile State state = State.DOWN;

    private Gate(LockClient client) {
        this.client = client;
        thread.setDaemon(true);
    }

    static Gate open(String lockUrl, ClientOptions.Builder options) {
        Gate gate =
                new Gate(LockClient.connect(lockUrl, options.clientName("gate").build()));
        gate.state = gate.tryOnce(gate.client.getLock(LOCK));
        gate.thread.start();
        return gate;
    }

    State state() {
        return state;
    }

    private void tryAgainAndAgain() {
        RLock lock = client.getLock(LOCK);
        try {
            while (!closed.await(BETWEEN_TRIES_MILLIS, TimeUnit.MILLISECONDS)) {
                state = tryOnce(lock);
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private State tryOnce(RLock lock) {
        try {
            if (lock.tryLock()) {
                lock.unlock();
            }
            return State.OPEN;
        } catch (LockLostException lost) {
            return state;
        } catch (LockException failed) {
            return of(failed.reason());
        }
    }

    private static State of(FailureReason reason) {
        return switch (reason) {
            case PAUSED -> State.PAUSED;
            case NOT_VOUCHED -> State.NOT_VOUCHED;
            default -> State.DOWN;
        };
    }

    @Override
    public void close() throws InterruptedException {
        closed.countDown();
        client.close();
        thread.join();
    }
}
