package io.holdfast.lock.netty.address;

import static io.holdfast.lock.netty.address.AddressText.decode;
import static io.holdfast.lock.netty.address.AddressText.firstOf;

import io.holdfast.lock.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An address as users write it:
 *
 * <ul>
 *   <li>{@code redis://[[user]:password@]host[:port][/database]}
 *   <li>{@code unix://[[user]:password@]/path[?database=number]}
 *   <li>{@code redis-sentinel://[[user]:password@]host[:port],host[:port]/master[/database]}, where the user and the
 *       password are for the master, and the port of a Sentinel is 26379 if none is given
 *   <li>{@code redis-replicas://[[user]:password@]host[:port],host[:port][/database]}
 *   <li>{@code redis-cluster://[[user]:password@]host[:port],host[:port][/database]}
 *   <li>all but the second with {@code rediss} for {@code redis}: with TLS
 *   <li>all with {@code valkey} for {@code redis}: the same
 * </ul>
 *
 * <p>Read by hand, because {@link java.net.URI} finds no host in {@code redis://my_redis:6379} and quotes the password
 * in its complaints. A complaint of this class quotes nothing: where an address is malformed, no part of it is sure not
 * to be a piece of the password.
 *
 * @param target what it leads to
 * @param tls whether connections are encrypted
 * @param user the ACL user, or null for the default user
 * @param password the password, or null to connect without one
 */
public record RedisUri(Target target, boolean tls, @Nullable String user, @Nullable String password, int database) {

    public static final int DEFAULT_PORT = 6379;
    static final int DEFAULT_SENTINEL_PORT = 26_379;

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed; names the fault
     */
    public static RedisUri parse(String text) {
        String expected = Scheme.ANY;
        try {
            if (!text.equals(text.strip())) {
                throw new Malformed("it begins or ends with white space");
            }
            int schemeEnd = text.indexOf("://");
            if (schemeEnd < 0) {
                throw new Malformed("it does not begin with redis://");
            }
            Scheme scheme = Scheme.of(text.substring(0, schemeEnd));
            expected = scheme.form();
            return parse(scheme, text.substring(schemeEnd + 3));
        } catch (Malformed fault) {
            throw new IllegalArgumentException(
                    "malformed address: " + Printable.message(fault.getMessage()) + " (expected: " + expected + ")");
        }
    }

    private static RedisUri parse(Scheme scheme, String rest) {
        int authorityEnd = firstOf("/?#", rest);
        String authority = rest.substring(0, authorityEnd);
        String path = rest.substring(authorityEnd);
        if (scheme.hasList() && authority.endsWith(":") && path.startsWith("//")) {
            throw new Malformed("the scheme stands once, before the first host");
        }
        if (path.indexOf('@') >= 0) {
            throw new Malformed(
                    "a '/', '?', '#' or '@' in the user, the password or a path must be written %2F, %3F, %23 or %40");
        }
        int at = authority.lastIndexOf('@');
        RedisUri server = server(scheme, authority.substring(at + 1), path);
        if (at < 0) {
            return server;
        }
        String userInfo = authority.substring(0, at);
        checkOnce(userInfo, scheme);
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw new Malformed("there is no ':' before the '@'; a password without a user is written :password@");
        }
        String user = user(userInfo.substring(0, colon));
        String password = decode(userInfo.substring(colon + 1), "password");
        if (password.isEmpty()) {
            throw new Malformed("the password is empty");
        }
        return new RedisUri(server.target, server.tls, user, password, server.database);
    }

    /** All but who we are. */
    private static RedisUri server(Scheme scheme, String hosts, String path) {
        switch (scheme) {
            case UNIX -> {
                Target.SocketFile file = PathText.socketFile(hosts, path);
                return new RedisUri(file, false, null, null, PathText.databaseOfQuery(path));
            }
            case SENTINEL, SENTINEL_TLS -> {
                List<Target.Host> seeds = HostText.hosts(hosts, DEFAULT_SENTINEL_PORT);
                List<String> parts = PathText.parts(path);
                Target group = new Target.Sentinels(seeds, PathText.master(parts.get(0)));
                return new RedisUri(
                        group, scheme.isTls(), null, null, PathText.database(parts.subList(1, parts.size())));
            }
            case REPLICAS, REPLICAS_TLS -> {
                Target group = new Target.Replicas(HostText.hosts(hosts, DEFAULT_PORT));
                return new RedisUri(group, scheme.isTls(), null, null, PathText.database(PathText.parts(path)));
            }
            case CLUSTER, CLUSTER_TLS -> {
                Target cluster = new Target.Nodes(HostText.hosts(hosts, DEFAULT_PORT));
                return new RedisUri(cluster, scheme.isTls(), null, null, PathText.database(PathText.parts(path)));
            }
            default -> {
                if (scheme.isTls() && hosts.isEmpty() && path.length() > 1) {
                    throw new Malformed("the host is empty; a Unix socket is unix:///path, and has no TLS");
                }
                Target host = HostText.host(hosts, DEFAULT_PORT);
                return new RedisUri(host, scheme.isTls(), null, null, PathText.database(PathText.parts(path)));
            }
        }
    }

    /** Credentials stand once, before the first host: others would be read as a part of them, and be sent. */
    private static void checkOnce(String userInfo, Scheme scheme) {
        int innerAt = userInfo.indexOf('@');
        if (innerAt >= 0 && (scheme.hasList() || userInfo.indexOf(':', innerAt) >= 0)) {
            throw new Malformed("the password is there twice, or an '@' in it is not written %40");
        }
        if (scheme.hasList() && userInfo.indexOf(',') >= 0) {
            throw new Malformed(
                    "the user and the password stand before the first host; a ',' in them is percent-encoded");
        }
    }

    private static @Nullable String user(String text) {
        String user = decode(text, "user");
        if (user.codePoints().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c))) {
            throw new Malformed("the user holds white space or control characters");
        }
        return user.isEmpty() ? null : user;
    }

    /** The first host of those that name others; null if this address has none. */
    public @Nullable String seedHost() {
        if (target instanceof Target.Nodes cluster) {
            return cluster.seeds().get(0).host();
        }
        return target instanceof Target.Sentinels group ? group.seeds().get(0).host() : null;
    }

    /** The address of one of several servers that this one leads to. */
    public RedisUri of(Target one) {
        return new RedisUri(one, tls, user, password, database);
    }

    /** The address with stars for the password. */
    @Override
    public String toString() {
        String who = password == null ? "" : (user == null ? "" : Printable.of(user)) + ":***@";
        String scheme = tls ? "rediss" : "redis";
        if (target instanceof Target.SocketFile file) {
            return "unix://" + who + Printable.of(file.path()) + "?database=" + database;
        }
        if (target instanceof Target.Sentinels group) {
            String path = "/" + Printable.of(group.master()) + "/" + database;
            return scheme + "-sentinel://" + who + Printable.message(group.seedNodes()) + path;
        }
        if (target instanceof Target.Replicas group) {
            return scheme + "-replicas://" + who + Printable.message(group.node()) + "/" + database;
        }
        if (target instanceof Target.Nodes cluster) {
            return scheme + "-cluster://" + who + Printable.message(cluster.seedNodes())
                    + (database == 0 ? "" : "/" + database);
        }
        return scheme + "://" + who + Printable.of(target.node()) + "/" + database;
    }
}
