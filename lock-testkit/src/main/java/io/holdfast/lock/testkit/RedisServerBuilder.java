package io.holdfast.lock.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes a server before it is started.
 *
 * <pre>{@code
 * RedisServer redis = RedisServer.builder()
 *         .aof(true)
 *         .option("requirepass", "secret")
 *         .option("client-output-buffer-limit", "pubsub", "32mb", "8mb", "60")
 *         .start();
 * }</pre>
 */
public final class RedisServerBuilder {
    private static final Set<String> OWN_OPTIONS = Set.of(
            "port",
            "bind",
            "dir",
            "daemonize",
            "logfile",
            "tls-port",
            "tls-ca-cert-file",
            "tls-cert-file",
            "tls-key-file",
            "tls-auth-clients");

    private final List<List<String>> options = new ArrayList<>();
    private ServerMode mode = ServerMode.STANDALONE;
    private @Nullable ServerTls tls;
    private boolean aof;
    private int port;
    private @Nullable RedisSource source;
    private Duration startTimeout = Duration.ofSeconds(20);

    RedisServerBuilder() {}

    /** What the server is started as; by default a server for itself. */
    public RedisServerBuilder mode(ServerMode mode) {
        this.mode = mode;
        return this;
    }

    /**
     * Whether writes go to an append-only file, synced before each reply. With it, data survives {@link
     * RedisServer#kill()} and {@link RedisServer#restart()}; without it (the default) a restart forgets everything.
     */
    public RedisServerBuilder aof(boolean aof) {
        this.aof = aof;
        return this;
    }

    /**
     * Whether clients come by TLS, with certificates that are made for this server. The test kit itself comes by a plain
     * port beside that one.
     */
    public RedisServerBuilder tls(TlsMode mode) {
        this.tls = mode == TlsMode.OFF ? null : ServerTls.fresh(mode == TlsMode.MUTUAL);
        return this;
    }

    /** Has clients come by TLS, with a certificate of the test's own. */
    public RedisServerBuilder tls(ServerTls tls) {
        this.tls = tls;
        return this;
    }

    /** The port to listen on; by default, or with 0, a free one is chosen. */
    public RedisServerBuilder port(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
        this.port = port;
        return this;
    }

    /**
     * Adds a line to the server's configuration file. An option may be given more than once.
     *
     * @param name the option, such as {@code maxmemory}
     * @param words its words; each is quoted, so none is split at a space
     */
    public RedisServerBuilder option(String name, String... words) {
        if (OWN_OPTIONS.contains(name)) {
            throw new IllegalArgumentException("option " + name + ": set by the test kit itself");
        }
        if (words.length == 0) {
            throw new IllegalArgumentException("option " + name + ": no value (expected: at least one word)");
        }
        List<String> line = new ArrayList<>();
        line.add(name);
        line.addAll(List.of(words));
        options.add(List.copyOf(line));
        return this;
    }

    /** Forces where the server comes from, also against the system property. */
    public RedisServerBuilder source(RedisSource source) {
        this.source = source;
        return this;
    }

    /** How long the server may take until it answers; 20 seconds by default. */
    public RedisServerBuilder startTimeout(Duration startTimeout) {
        this.startTimeout = startTimeout;
        return this;
    }

    /** Has the server talk to other servers, as replicas and Sentinels do: by TLS where clients come by TLS. */
    RedisServerBuilder connected() {
        Installation installation = installation();
        if (installation.source() == RedisSource.DOCKER) {
            throw new IllegalStateException(
                    "servers that talk to each other: provided by a container engine, where they"
                            + " don't reach each other at the addresses of clients (expected: from this machine, by -D"
                            + RedisSource.PROPERTY + "=" + RedisSource.PATH + " or " + RedisSource.EMBEDDED + ")");
        }
        return tls == null ? this : option("tls-replication", "yes");
    }

    /**
     * Starts the server and waits until it answers.
     *
     * @throws RedisUnavailableException when no source yields a server; the message has a reason for each
     * @throws IllegalStateException when the server started and failed; the message has its log
     */
    public RedisServer start() {
        return RedisServer.start(
                installation(), new ServerConfig(mode, port, port, tls, aof, List.copyOf(options), startTimeout));
    }

    private Installation installation() {
        return Installations.find(source != null ? Optional.of(source) : RedisSource.forced());
    }
}
