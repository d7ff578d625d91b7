package io.holdfast.lock;

/** How the client talks to the operating system. */
public enum IoTransport {
    /** Epoll or kqueue when it is on the class path and works here, else NIO. */
    AUTO,
    /** The JDK's own selectors. */
    NIO,
    /** Linux; needs Netty's epoll transport on the class path. */
    EPOLL,
    /** macOS and BSD; needs Netty's kqueue transport on the class path. */
    KQUEUE,
    /** Linux 5.14 and later; needs Netty's io_uring transport on the class path. */
    IO_URING
}
