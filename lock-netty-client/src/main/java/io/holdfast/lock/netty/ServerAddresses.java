package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses that a client is given: read, and held against what is served and what its options say. */
final class ServerAddresses {

    private static final String SENTINEL_ADDRESS =
            "an address that begins with redis-sentinel:// or rediss-sentinel://";

    private static final String ANNOUNCING_ADDRESS =
            "an address that begins with redis-sentinel:// or redis-cluster://, or the same with rediss";

    private ServerAddresses() {}

    /** The address of a client of one server. */
    static RedisUri of(String url, ClientOptions options) {
        return checked(RedisUri.parse(url), options);
    }

    /** The addresses of a client of several independent servers. */
    static List<RedisUri> ofQuorum(List<String> urls, ClientOptions options) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("urls: none (expected: one for each node, 3 or 5 of them)");
        }
        List<RedisUri> all = new ArrayList<>();
        for (String url : urls) {
            try {
                all.add(nodeOfQuorum(url, options));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "url number " + (all.size() + 1) + ": " + Printable.message(malformed.getMessage()), malformed);
            }
        }
        return all;
    }

    /** A quorum counts servers: behind an address that may lead to another server, one that knows nothing may vote. */
    private static RedisUri nodeOfQuorum(String url, ClientOptions options) {
        RedisUri server = RedisUri.parse(url);
        if (server.target().isOneOfSeveral()) {
            throw new IllegalArgumentException(
                    "address: leads to one of several servers (expected: one server for each node of a quorum, redis://"
                            + " or unix://)");
        }
        return checked(server, options);
    }

    private static RedisUri checked(RedisUri server, ClientOptions options) {
        if (!(server.target() instanceof Target.Sentinels)) {
            nothingOfSentinel(options);
            if (!(server.target() instanceof Target.Nodes)) {
                nothingOfAnnounced(options);
            }
        }
        if (server.password() != null) {
            if (options.credentials().isPresent()) {
                throw new IllegalArgumentException("address: has a password, and is not shown (expected: no password,"
                        + " since ClientOptions.credentials says who the client is)");
            }
            credentials(server.user(), server.password());
        }
        return server;
    }

    /** Refuses options that nothing would look at. */
    private static void nothingOfSentinel(ClientOptions options) {
        if (!options.sentinel().equals(SentinelOptions.defaults())) {
            throw new IllegalArgumentException("sentinel: options for an address without Sentinels (expected: "
                    + SENTINEL_ADDRESS + ", or no options of Sentinel)");
        }
    }

    /** Refuses options of announced addresses where none are announced. */
    private static void nothingOfAnnounced(ClientOptions options) {
        if (options.addressMapper().isPresent()) {
            throw new IllegalArgumentException("addressMapper: given for an address where no other is announced"
                    + " (expected: " + ANNOUNCING_ADDRESS + ", or no mapper)");
        }
        if (options.tls().verifySeedName()) {
            throw new IllegalArgumentException("tls.verifySeedName: true for an address where no other is announced"
                    + " (expected: " + ANNOUNCING_ADDRESS + ", or false)");
        }
    }

    /** Refuses what no server takes. */
    private static Credentials credentials(@Nullable String user, String password) {
        try {
            return user == null ? Credentials.ofPassword(password) : Credentials.of(user, password);
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException("address: " + Printable.message(unusable.getMessage()), unusable);
        }
    }
}
