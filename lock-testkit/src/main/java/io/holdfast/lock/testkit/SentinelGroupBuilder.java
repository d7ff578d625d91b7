package io.holdfast.lock.testkit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes a {@link SentinelGroup} before it is started.
 *
 * <pre>{@code
 * SentinelGroup group = SentinelGroup.builder()
 *         .replicas(1)
 *         .password("of the servers")
 *         .sentinelPassword("of the Sentinels")
 *         .tls(TlsMode.SERVER)
 *         .servers(server -> server.option("user", "orders", "on", ">secret", "~*", "&*", "+@all"))
 *         .start();
 * }</pre>
 */
public final class SentinelGroupBuilder {
    private static final int MOST_STARTS_TRIED = 5;

    /** What replicas do at their primary, and Sentinels at all servers. */
    private static final List<String> REPLICATION_RIGHTS = List.of(
            "+psync",
            "+replconf",
            "+ping",
            "+info",
            "+role",
            "+publish",
            "+subscribe",
            "+multi",
            "+exec",
            "+slaveof",
            "+config|rewrite",
            "+client|setname",
            "+client|kill",
            "+script|kill");

    private String name = "mymaster";
    private int replicas = 2;
    private int sentinels = 3;
    private int quorum;
    private Duration downAfter = Duration.ofSeconds(1);
    private Duration failoverTimeout = Duration.ofSeconds(5);
    private String host = FreePorts.HOST;
    private @Nullable String password;
    private @Nullable String user;
    private @Nullable String userPassword;
    private @Nullable String sentinelPassword;
    private @Nullable ServerTls tls;
    private @Nullable TlsMode sentinelTls;
    private @Nullable ServerTls sentinelsOwnTls;
    private @Nullable RedisSource source;
    private UnaryOperator<RedisServerBuilder> serverSettings = builder -> builder;
    private UnaryOperator<RedisServerBuilder> sentinelSettings = builder -> builder;

    SentinelGroupBuilder() {}

    /** The name by which the Sentinels know the primary; {@code mymaster} by default. */
    public SentinelGroupBuilder name(String name) {
        if (!name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("name: " + name + " (expected: letters, digits and . _ -)");
        }
        this.name = name;
        return this;
    }

    /** How many replicas there are; 2 by default. */
    public SentinelGroupBuilder replicas(int replicas) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: > 0)");
        }
        this.replicas = replicas;
        return this;
    }

    /** How many Sentinels there are; 3 by default. */
    public SentinelGroupBuilder sentinels(int sentinels) {
        if (sentinels < 1) {
            throw new IllegalArgumentException("sentinels: " + sentinels + " (expected: > 0)");
        }
        this.sentinels = sentinels;
        return this;
    }

    /** How many Sentinels have to find the primary down before one fails over; a majority by default. */
    public SentinelGroupBuilder quorum(int quorum) {
        if (quorum < 1) {
            throw new IllegalArgumentException("quorum: " + quorum + " (expected: > 0)");
        }
        this.quorum = quorum;
        return this;
    }

    /**
     * For how long a server must not have answered before a Sentinel finds it down; 1 s by default. With less, a Sentinel may
     * find the new primary down too, since it comes to it a second late.
     */
    public SentinelGroupBuilder downAfter(Duration downAfter) {
        this.downAfter = downAfter;
        return this;
    }

    /** How long a failover may take; 5 s by default. After one that failed the next is tried after twice this time. */
    public SentinelGroupBuilder failoverTimeout(Duration failoverTimeout) {
        this.failoverTimeout = failoverTimeout;
        return this;
    }

    /** The password of the servers, for clients, replicas and Sentinels; none by default. */
    public SentinelGroupBuilder password(String password) {
        this.password = password;
        return this;
    }

    /**
     * The user as which replicas and Sentinels come to the servers, with the rights that they need and no others. By
     * default they come as clients do.
     */
    public SentinelGroupBuilder replicationUser(String user, String userPassword) {
        this.user = user;
        this.userPassword = userPassword;
        return this;
    }

    /** The password of the Sentinels, for clients and among themselves; none by default. */
    public SentinelGroupBuilder sentinelPassword(String sentinelPassword) {
        this.sentinelPassword = sentinelPassword;
        return this;
    }

    /**
     * Whether clients come to the servers and to the Sentinels by TLS; so do replicas and Sentinels among themselves then.
     * All show one certificate, made for {@code localhost} and {@code 127.0.0.1}.
     */
    public SentinelGroupBuilder tls(TlsMode mode) {
        this.tls = mode == TlsMode.OFF ? null : ServerTls.fresh(mode == TlsMode.MUTUAL);
        return this;
    }

    /** The same, with a certificate of the test's own. */
    public SentinelGroupBuilder tls(ServerTls tls) {
        this.tls = tls;
        return this;
    }

    /**
     * Whether clients come to the Sentinels by TLS, where that differs from the servers. The address of the group names the
     * ports where they come so. A Sentinel announces itself to others as the servers are reached, so a client that asks
     * one Sentinel for the others is told ports of the servers' kind.
     */
    public SentinelGroupBuilder sentinelTls(TlsMode mode) {
        this.sentinelTls = mode;
        this.sentinelsOwnTls = mode == TlsMode.OFF ? null : ServerTls.fresh(mode == TlsMode.MUTUAL);
        return this;
    }

    /**
     * The host name by which servers and Sentinels are announced, in place of their IP address; the system must resolve it to
     * {@code 127.0.0.1}, as it does {@code localhost}.
     */
    public SentinelGroupBuilder announcedHost(String host) {
        this.host = host;
        return this;
    }

    /** Forces where the servers come from, also against the system property. */
    public SentinelGroupBuilder source(RedisSource source) {
        this.source = source;
        return this;
    }

    /** Further settings of each server, such as users. */
    public SentinelGroupBuilder servers(UnaryOperator<RedisServerBuilder> settings) {
        this.serverSettings = settings;
        return this;
    }

    /** Further settings of each Sentinel, such as users. */
    public SentinelGroupBuilder sentinels(UnaryOperator<RedisServerBuilder> settings) {
        this.sentinelSettings = settings;
        return this;
    }

    /**
     * Starts all processes, and returns when the replicas are in step and all Sentinels know each other and the replicas.
     *
     * @throws IllegalStateException when a container engine provides the servers, or when one process doesn't get ready; the
     *     message says what each Sentinel says
     */
    public SentinelGroup start() {
        requireResolved();
        ReplicatedPair pair = ReplicatedPair.start(replicas, this::server);
        try {
            return group(pair);
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    private SentinelGroup group(ReplicatedPair pair) {
        RedisServers started = startSentinels(pair);
        try {
            SentinelGroup group = new SentinelGroup(
                    name,
                    pair.primary().scheme(),
                    host,
                    pair,
                    started,
                    comeByTls() ? RedisServer::port : RedisServer::plainPort);
            group.awaitSettled();
            return group;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Each Sentinel is told the ports of the others, so all get new ones when one port is taken meanwhile. */
    private RedisServers startSentinels(ReplicatedPair pair) {
        for (int attempt = 1; ; attempt++) {
            try {
                return startSentinelsOnce(pair);
            } catch (PortTakenException e) {
                if (attempt == MOST_STARTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    private RedisServers startSentinelsOnce(ReplicatedPair pair) {
        List<SentinelFile> files =
                Stream.generate(SentinelFile::fresh).limit(sentinels).toList();
        List<RedisServer> started = new ArrayList<>();
        try {
            for (SentinelFile file : files) {
                started.add(sentinel(file, files, pair).start());
            }
            return RedisServers.of(started);
        } catch (RuntimeException e) {
            started.forEach(RedisServer::close);
            files.stream().skip(started.size()).map(SentinelFile::port).forEach(FreePorts::release);
            throw e;
        }
    }

    private RedisServerBuilder server(RedisServerBuilder empty) {
        RedisServerBuilder builder = serverSettings.apply(forcedSource(empty));
        if (tls != null) {
            builder.tls(tls);
        }
        if (password != null) {
            builder.option("requirepass", password).option("masterauth", password);
        }
        if (user != null && userPassword != null) {
            List<String> words = new ArrayList<>(List.of(user, "on", ">" + userPassword, "allchannels"));
            words.addAll(REPLICATION_RIGHTS);
            builder.option("user", words.toArray(String[]::new))
                    .option("masteruser", user)
                    .option("masterauth", userPassword);
        }
        return host.equals(FreePorts.HOST) ? builder : builder.option("replica-announce-ip", host);
    }

    private RedisServerBuilder sentinel(SentinelFile file, List<SentinelFile> all, ReplicatedPair pair) {
        RedisServerBuilder builder = sentinelSettings
                .apply(forcedSource(RedisServer.builder()))
                .mode(ServerMode.SENTINEL)
                .port(file.port());
        if (tls != null) {
            builder.tls(ofSentinels(tls)).connected();
        } else if (sentinelsOwnTls != null) {
            builder.tls(sentinelsOwnTls);
        }
        if (!host.equals(FreePorts.HOST)) {
            SentinelFile.line(builder, "resolve-hostnames", "yes");
            SentinelFile.line(builder, "announce-hostnames", "yes");
            SentinelFile.line(builder, "announce-ip", host);
        }
        if (sentinelPassword != null) {
            builder.option("requirepass", sentinelPassword);
            SentinelFile.line(builder, "sentinel-pass", sentinelPassword);
        }
        watch(file, builder, pair.primary());
        pair.replicas()
                .forEach(replica -> SentinelFile.line(builder, "known-replica", name, host, text(replica.port())));
        if (knowsPorts()) {
            all.stream()
                    .filter(other -> !other.equals(file))
                    .forEach(other ->
                            SentinelFile.line(builder, "known-sentinel", name, host, text(other.port()), other.id()));
        }
        return builder;
    }

    private void watch(SentinelFile file, RedisServerBuilder builder, RedisServer primary) {
        int agreeing = quorum == 0 ? sentinels / 2 + 1 : quorum;
        SentinelFile.line(builder, "myid", file.id());
        SentinelFile.line(builder, "monitor", name, host, text(primary.port()), text(agreeing));
        SentinelFile.line(builder, "down-after-milliseconds", name, text(downAfter.toMillis()));
        SentinelFile.line(builder, "failover-timeout", name, text(failoverTimeout.toMillis()));
        if (user != null) {
            SentinelFile.line(builder, "auth-user", name, user);
        }
        String shown = userPassword != null ? userPassword : password;
        if (shown != null) {
            SentinelFile.line(builder, "auth-pass", name, shown);
        }
    }

    private ServerTls ofSentinels(ServerTls like) {
        boolean mutual = sentinelTls == null ? like.mutual() : sentinelTls == TlsMode.MUTUAL;
        return new ServerTls(like.authority(), like.certificate(), mutual);
    }

    /** Whether clients come to the Sentinels by TLS. */
    private boolean comeByTls() {
        return sentinelTls == null ? tls != null : sentinelTls != TlsMode.OFF;
    }

    /** Where only clients come by TLS, the Sentinels' plain ports, which they use among themselves, are chosen later. */
    private boolean knowsPorts() {
        return tls != null || !comeByTls();
    }

    private RedisServerBuilder forcedSource(RedisServerBuilder builder) {
        return source == null ? builder : builder.source(source);
    }

    /** Where the name leads elsewhere, the Sentinels would look for the servers elsewhere, and say little of it. */
    private void requireResolved() {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.equals(FreePorts.address())) {
                throw new IllegalArgumentException("announced host: " + host + ", which is " + address.getHostAddress()
                        + " (expected: a name of " + FreePorts.HOST + ")");
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "announced host: " + host + ", which has no address (expected: a name of " + FreePorts.HOST + ")",
                    e);
        }
    }

    private static String text(long number) {
        return String.valueOf(number);
    }
}
