package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The clients that the starter has made and that are open. They are closed when the context closes: after web servers,
 * schedulers and executors, which have higher phases, and within {@code spring.lifecycle.timeout-per-shutdown-phase}. A context that
 * is only stopped or paused, and may be started again, keeps its locks.
 *
 * <p>A client that goes otherwise, because its context did not start or its scope is refreshed, is closed as its bean is destroyed, and
 * one that became no bean, because a post-processor refused it, with the last beans of its context. One
 * whose closing has begun is not waited for again: a server that hangs takes no more than its phase.
 */
final class OpenClients
        implements SmartLifecycle,
                ApplicationListener<ContextClosedEvent>,
                ApplicationContextAware,
                DisposableBean,
                DestructionAwareBeanPostProcessor {

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
        stop(() -> {});
    }

    /** A server that hangs takes a command timeout for each client, so they are closed beside each other. */
    @Override
    public void stop(Runnable stopped) {
        List<LockClient> leaving = closing ? List.copyOf(clients) : List.of();
        clients.removeAll(leaving);
        if (leaving.isEmpty()) {
            stopped.run();
            return;
        }
        AtomicInteger open = new AtomicInteger(leaving.size());
        for (LockClient client : leaving) {
            Thread closer = new Thread(
                    () -> {
                        try {
                            client.close();
                        } finally {
                            if (open.decrementAndGet() == 0) {
                                stopped.run();
                            }
                        }
                    },
                    "holdfast-close");
            closer.setDaemon(true);
            closer.start();
        }
    }

    @Override
    public boolean requiresDestruction(Object bean) {
        return bean instanceof LockClient client && clients.contains(client);
    }

    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
        if (bean instanceof LockClient client && clients.remove(client)) {
            client.close();
        }
    }

    @Override
    public void destroy() {
        clients.forEach(LockClient::close);
        clients.clear();
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
