package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The subscription to a lock's channel. It is opened for the first waiter and closed a second after the last one has
 * left, because another one often comes soon. Belongs to the cell's steps.
 */
final class Doorbell {

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Who hears the bell. */
    interface Listener {

        /** Messages arrive from now on; some may have been missed before. */
        void listening();

        /** The lock was freed. */
        void rung();

        /** Nobody has needed the bell for a while. */
        void unused();
    }

    private final Engine engine;
    private final LockNames names;
    private final Runtime runtime;
    private final SerialGate gate;
    private final Listener listener;

    private @Nullable Subscription subscription;
    private @Nullable Timer linger;
    private boolean confirmed;

    Doorbell(Engine engine, LockNames names, SerialGate gate, Listener listener) {
        this.engine = engine;
        this.names = names;
        this.runtime = engine.runtime();
        this.gate = gate;
        this.listener = listener;
    }

    boolean isOpen() {
        return subscription != null;
    }

    /** Whether the server has confirmed the subscription, at least once. */
    boolean isConfirmed() {
        return confirmed;
    }

    /** Subscribes, if that has not been done. */
    void open() {
        stay();
        if (subscription == null) {
            subscription = engine.subscribe(names, new Wakeup() {
                @Override
                public void ready() {
                    gate.run(() -> {
                        confirmed = true;
                        listener.listening();
                    });
                }

                @Override
                public void message(String text) {
                    gate.run(listener::rung);
                }
            });
        }
    }

    /** Nobody waits for now. */
    void closeSoon() {
        if (subscription != null && linger == null) {
            linger = runtime.after(
                    LINGER_NANOS,
                    () -> gate.run(() -> {
                        linger = null;
                        listener.unused();
                    }));
        }
    }

    void close() {
        stay();
        Subscription open = subscription;
        subscription = null;
        confirmed = false;
        if (open != null) {
            open.close();
        }
    }

    private void stay() {
        Timer leaving = linger;
        if (leaving != null) {
            leaving.cancel();
            linger = null;
        }
    }
}
