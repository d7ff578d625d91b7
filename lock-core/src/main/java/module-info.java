/** Distributed locks: the API, what it needs from a transport, and the algorithm between them. */
module io.holdfast.lock.core {
    requires transitive org.jspecify;
    requires org.slf4j;
    requires static jdk.jfr;

    exports io.holdfast.lock;
    exports io.holdfast.lock.spi;
    exports io.holdfast.lock.spi.client;
    exports io.holdfast.lock.text to
            io.holdfast.lock.netty,
            io.holdfast.lock.memory,
            io.holdfast.lock.micrometer;

    uses io.holdfast.lock.spi.client.LockProvider;
}
