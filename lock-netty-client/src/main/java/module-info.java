/** Distributed locks on Redis and Valkey over Netty. Nothing of it is for import: {@code LockClient.connect} finds it. */
module io.holdfast.lock.netty {
    requires io.holdfast.lock.core;
    requires org.jspecify;
    requires org.slf4j;
    requires io.netty.common;
    requires io.netty.buffer;
    requires io.netty.transport;
    requires static io.netty.transport.unix.common;
    requires static io.netty.transport.classes.epoll;
    requires static io.netty.transport.classes.kqueue;
    requires static io.netty.transport.classes.io_uring;

    provides io.holdfast.lock.spi.client.LockProvider with
            io.holdfast.lock.netty.NettyLockProvider;
}
