package io.holdfast.lock.rules.bad.engine;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** One method for each source of time, chance or order that the engine must not use. */
class EngineWithTimeOfItsOwn {
    long nanoTime() {
        return System.nanoTime();
    }

    LongSupplier nanoTimeByReference() {
        return System::nanoTime;
    }

    long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    int identityHashCode() {
        return System.identityHashCode(this);
    }

    void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    void park() {
        LockSupport.parkNanos(1);
    }

    long threadLocalRandom() {
        return ThreadLocalRandom.current().nextLong();
    }

    UUID uuid() {
        return UUID.randomUUID();
    }

    Set<String> setOf() {
        return Set.of("a", "b");
    }

    Map<String, String> mapOf() {
        return Map.of("a", "b");
    }

    Thread ownThread() {
        return new Thread(this::park);
    }
}
