package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RedisServer;
import java.util.Optional;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** An application context with a client on a real server, and a client of another process beside it. */
final class LockedApplication implements AutoCloseable {

    final LockClient client;
    final LockClient other;
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    LockedApplication(RedisServer redis, Class<?> configuration) {
        client = LockClient.connect(redis.url());
        other = LockClient.connect(redis.url());
        context.registerBean("locks", LockClient.class, () -> client);
        context.register(configuration);
        context.refresh();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Whether another process would get the lock. */
    boolean isFree(String name) {
        Optional<LockHold> hold = other.getLock(name).tryAcquire();
        hold.ifPresent(LockHold::release);
        return hold.isPresent();
    }

    @Override
    public void close() {
        context.close();
        client.close();
        other.close();
    }
}
