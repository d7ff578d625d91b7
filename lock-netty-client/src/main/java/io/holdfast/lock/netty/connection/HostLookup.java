package io.holdfast.lock.netty.connection;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Finds the addresses of a host without blocking the event loop.
 *
 * <p>A lookup blocks, for many seconds when a name server is down, and an event loop has other connections to serve. So
 * each lookup gets a thread that ends with it; they are as rare as reconnects. Addresses need no lookup.
 */
final class HostLookup {

    /** Receives the result, in the event loop. */
    interface Asker {

        /** The addresses, at least one. */
        void found(List<InetAddress> addresses);

        void unknown(UnknownHostException cause);
    }

    private HostLookup() {}

    /** Finds the addresses, or finds out that there are none. Called in the event loop. */
    static void find(NameService names, String host, String clientName, EventLoop loop, Asker asker) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address != null) {
            try {
                asker.found(List.of(InetAddress.getByAddress(host, address)));
            } catch (UnknownHostException wrongLength) {
                asker.unknown(wrongLength);
            }
            return;
        }
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        List<InetAddress> addresses = names.addresses(host);
                        pass(loop, () -> asker.found(addresses));
                    } catch (UnknownHostException missing) {
                        pass(loop, () -> asker.unknown(missing));
                    }
                },
                "holdfast-" + clientName + "-lookup",
                0,
                false);
        thread.setDaemon(true);
        thread.setContextClassLoader(HostLookup.class.getClassLoader());
        thread.start();
    }

    private static void pass(EventLoop loop, Runnable result) {
        try {
            loop.execute(result);
        } catch (RejectedExecutionException closed) {
            // The client was closed while the name server was thinking: no caller needs the answer any more.
            return;
        }
    }
}
