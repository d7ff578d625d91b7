package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The clients that the starter has made and that are open. They are closed when the context closes: after web servers,
 * schedulers and executors, which have higher phases, and within {@code spring.lifecycle.timeout-per-shutdown-phase}. A context that
 * is only stopped or paused, and may be started again, keeps its locks.
 */
final class OpenClients implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, ApplicationContextAware {

    /** Later than all that has not chosen an extreme phase itself. */
    static final int PHASE = Integer.MIN_VALUE + 1024;

    private final List<LockClient> clients = new CopyOnWriteArrayList<>();
    private volatile @Nullable ApplicationContext context;
    private volatile boolean closing;

    /** Takes care of a client, and gives it back. */
    LockClient add(LockClient client) {
        clients.removeIf(LockClient::isClosed);
        clients.add(client);
        return client;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        context = applicationContext;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // A child's end is told to its parents too.
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public void start() {}

    @Override
    public void stop() {
        if (closing) {
            clients.forEach(LockClient::close);
            clients.clear();
        }
    }

    /** Closing may take a command timeout for each client; the context waits for it as long as the phase may take. */
    @Override
    public void stop(Runnable stopped) {
        if (!closing || clients.isEmpty()) {
            stopped.run();
            return;
        }
        Thread closer = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        stopped.run();
                    }
                },
                "holdfast-close");
        closer.setDaemon(true);
        closer.start();
    }

    @Override
    public boolean isRunning() {
        return clients.stream().anyMatch(client -> !client.isClosed());
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
