package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.credentials.Logins;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.text.Printable;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All that a connection to one server needs to know. Its values were checked where they came from.
 *
 * @param server the server as the user named it
 * @param logins who we are there, asked for each connection
 * @param clientName the name that the server shows
 * @param tls what secures the connection; null if it is plain
 * @param whereabouts where the server is at the time of an attempt
 * @param connectTimeoutNanos until the first connection must be ready, handshake included
 * @param commandTimeoutNanos until a heartbeat counts as unanswered
 * @param heartbeatNanos how long a connection may be silent before it is tried
 * @param backoffMinNanos the first pause before connecting again
 * @param backoffMaxNanos the longest pause before connecting again
 * @param queueLimit how many ordinary calls may wait to be written, and how many may be in flight at most
 * @param limits what a peer may make the decoder keep
 * @param news where connections are told of
 */
public record ConnectionSettings(
        RedisUri server,
        Logins logins,
        String clientName,
        @Nullable ClientTls tls,
        Whereabouts whereabouts,
        long connectTimeoutNanos,
        long commandTimeoutNanos,
        long heartbeatNanos,
        long backoffMinNanos,
        long backoffMaxNanos,
        int queueLimit,
        RespLimits limits,
        ConnectionNews news) {

    private static final int HEARTBEATS_PER_ROLE = 6;
    private static final int HEARTBEATS_PER_REST = 60;
    private static final long LONGEST_RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * Until any connection but the first must be ready. The first one may have to wait for classes to be loaded; later
     * ones only for the network, and the sooner an attempt is given up, the sooner the host is looked up again.
     */
    long reconnectTimeoutNanos() {
        return Math.min(connectTimeoutNanos, LONGEST_RECONNECT_NANOS);
    }

    /** After how long a server is asked whether it is a primary still: 30 s with the heartbeat of the defaults. */
    long roleNanos() {
        return HEARTBEATS_PER_ROLE * heartbeatNanos;
    }

    /** After how long without anything to do one of several nodes is left: five minutes with the heartbeat of the defaults. */
    public long idleNanos() {
        return HEARTBEATS_PER_REST * heartbeatNanos;
    }

    /** The same for the server that was found: where there are several, faults name that one. */
    public ConnectionSettings at(SocketAddress found) {
        if (!server.target().isOneOfSeveral() || !(found instanceof InetSocketAddress address)) {
            return this;
        }
        RedisUri one = server.of(new Target.Host(address.getHostString(), address.getPort()));
        return new ConnectionSettings(
                one,
                logins,
                clientName,
                tls,
                whereabouts,
                connectTimeoutNanos,
                commandTimeoutNanos,
                heartbeatNanos,
                backoffMinNanos,
                backoffMaxNanos,
                queueLimit,
                limits,
                news);
    }

    /** The server's address, as faults and log lines name it. */
    public String node() {
        return Printable.of(server.target().node());
    }
}
