package io.holdfast.lock.benchmarks.peer;

/** Which of the system's ways to wait for sockets the Netty-based peers use. */
public enum Transport {
    /** What each takes by itself: Holdfast and Lettuce epoll where it is there, Redisson NIO. */
    DEFAULT,
    /** NIO for all. */
    NIO,
    /** Epoll for all. */
    EPOLL
}
