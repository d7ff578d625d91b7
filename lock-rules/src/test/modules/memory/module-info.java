/** A transport of another project: locks in the memory of one JVM. */
module memory {
    requires io.holdfast.lock.core;

    provides io.holdfast.lock.spi.client.LockProvider with
            memory.MemoryProvider;
}
