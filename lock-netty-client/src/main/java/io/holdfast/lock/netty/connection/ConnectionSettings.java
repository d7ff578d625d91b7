package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespLimits;
import java.util.concurrent.TimeUnit;

/**
 * All that a connection to one server needs to know. Its values were checked where they came from.
 *
 * @param server where the server listens, and who we are there
 * @param clientName the name that the server shows
 * @param connectTimeoutNanos until a connection must be ready, handshake included
 * @param commandTimeoutNanos until a heartbeat counts as unanswered
 * @param heartbeatNanos how long a connection may be silent before it is tried
 * @param backoffMinNanos the first pause before connecting again
 * @param backoffMaxNanos the longest pause before connecting again
 * @param queueLimit how many ordinary calls may wait to be written, and how many may be in flight at most
 * @param limits what a peer may make the decoder keep
 */
public record ConnectionSettings(
        RedisUri server,
        String clientName,
        long connectTimeoutNanos,
        long commandTimeoutNanos,
        long heartbeatNanos,
        long backoffMinNanos,
        long backoffMaxNanos,
        int queueLimit,
        RespLimits limits) {

    /** Settings with the defaults of the client's options. */
    public static ConnectionSettings defaults(RedisUri server) {
        return new ConnectionSettings(
                server,
                "holdfast",
                TimeUnit.SECONDS.toNanos(3),
                TimeUnit.SECONDS.toNanos(1),
                TimeUnit.SECONDS.toNanos(5),
                TimeUnit.MILLISECONDS.toNanos(50),
                TimeUnit.SECONDS.toNanos(5),
                65_536,
                RespLimits.DEFAULT);
    }

    /** The server's address, as faults and log lines name it. */
    public String node() {
        String host = server.host();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + server.port();
    }
}
