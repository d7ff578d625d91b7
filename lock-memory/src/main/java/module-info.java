/** Locks within one JVM, by the same engine: for unit tests and development. */
module io.holdfast.lock.memory {
    requires transitive io.holdfast.lock.core;
    requires luaj.jme;
    requires org.jspecify;
    requires org.slf4j;
    requires static org.junit.jupiter.api;

    exports io.holdfast.lock.memory;

    provides io.holdfast.lock.spi.client.LockProvider with
            io.holdfast.lock.memory.MemoryLockProvider;
}
