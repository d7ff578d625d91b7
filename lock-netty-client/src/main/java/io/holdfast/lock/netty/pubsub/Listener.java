package io.holdfast.lock.netty.pubsub;

import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import io.holdfast.lock.text.Printable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One subscription. Once it is closed it stays silent, also while the server doesn't know yet. */
final class Listener implements Subscription {

    private static final Logger log = LoggerFactory.getLogger(Listener.class);

    final String channel;
    private final Wakeup wakeup;
    private final Consumer<Listener> onClose;
    private volatile boolean closed;

    Listener(String channel, Wakeup wakeup, Consumer<Listener> onClose) {
        this.channel = channel;
        this.wakeup = wakeup;
        this.onClose = onClose;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(this);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void ready() {
        tell(wakeup::ready);
    }

    void silent() {
        tell(wakeup::silent);
    }

    void message(String text) {
        tell(() -> wakeup.message(text));
    }

    private void tell(Runnable news) {
        if (closed) {
            return;
        }
        try {
            news.run();
        } catch (RuntimeException | Error bug) {
            log.error("A listener of {} failed", Printable.of(channel), bug);
        }
    }
}
