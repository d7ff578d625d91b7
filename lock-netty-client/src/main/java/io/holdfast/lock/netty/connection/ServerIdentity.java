package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ServerRun;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a handshake learns: who the server is, and who we are to it.
 *
 * @param runId the server process's own id; empty if it may not be known
 * @param upSeconds how long the process had been running when it said so; 0 if unknown
 * @param appendOnly whether the process says that it keeps an append-only file; false if it may not be known
 * @param clientId this connection's id on the server; 0 if unknown
 * @param clientAddress this connection's address as the server sees it; empty if unknown
 * @param inCluster whether the server is in cluster mode; false if unknown
 * @param shardsMessages whether messages of a slot are told at the node that owns it, and nowhere else
 */
public record ServerIdentity(
        String runId,
        long upSeconds,
        boolean appendOnly,
        long clientId,
        String clientAddress,
        boolean inCluster,
        boolean shardsMessages) {

    /** The process, as the engine knows it: when it began by the client's own clock, and where it is. */
    ServerRun run(long nowNanos, SocketAddress address) {
        return new ServerRun(runId, nowNanos - TimeUnit.SECONDS.toNanos(upSeconds), appendOnly, placeOf(address));
    }

    /** A Unix socket is always the same place, and has no name. */
    static String placeOf(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress at && at.getAddress() != null
                ? at.getAddress().getHostAddress() + ":" + at.getPort()
                : "";
    }
}
