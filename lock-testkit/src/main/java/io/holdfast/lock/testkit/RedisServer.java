package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ServerProcess.Signal;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A real server, started for tests, that can be hurt and brought back.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.start()) {
 *     MyClient client = MyClient.connect(redis.url());
 *     redis.pause();                  // as if the machine hung
 *     redis.resume();
 *     redis.kill();                   // kill -9
 *     redis.restart();                // on the same port, and empty unless builder().aof(true)
 *     try (RawRedis raw = redis.connect()) {
 *         raw.command("HGETALL", "holdfast:{stock}");
 *     }
 * }
 * }</pre>
 *
 * <p>Each server has a port and a temporary directory of its own. Both the process and the directory go away with
 * {@link #close()}, and also when the JVM ends in any way without it.
 *
 * <p>Safe for use by many threads; the operations that change the server's state take turns.
 */
public final class RedisServer implements AutoCloseable {
    private static final int MOST_PORTS_TRIED = 10;
    private static final int MOST_RESTARTS_TRIED = 5;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Installation installation;
    private final ServerConfig config;
    private final ServerProcess process;
    private Pristine pristine = Pristine.UNKNOWN;
    private volatile RedisVersion version;
    private volatile boolean paused;
    private boolean closed;

    private RedisServer(Installation installation, ServerConfig config, ServerProcess process) {
        this.installation = installation;
        this.config = config;
        this.process = process;
        this.version = installation.version();
    }

    /**
     * Starts a server with default settings.
     *
     * @throws RedisUnavailableException when no source yields a server; the message has a reason for each
     */
    public static RedisServer start() {
        return builder().start();
    }

    /** Describes a server with settings of its own. */
    public static RedisServerBuilder builder() {
        return new RedisServerBuilder();
    }

    static RedisServer start(Installation installation, ServerConfig config) {
        for (int attempt = 1; ; attempt++) {
            int port = config.port() == 0 ? takePort(config.mode()) : config.port();
            int plainPort = config.tls() == null ? port : FreePorts.take();
            try {
                return launch(installation, config.withPorts(port, plainPort));
            } catch (PortTakenException e) {
                FreePorts.release(port);
                FreePorts.release(plainPort);
                if (config.port() != 0 || attempt == MOST_PORTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    private static int takePort(ServerMode mode) {
        return mode.isClustered() ? FreePorts.takeWithBus() : FreePorts.take();
    }

    private static RedisServer launch(Installation installation, ServerConfig config) {
        RedisServer server = new RedisServer(installation, config, installation.prepare(config));
        try {
            server.startProcess();
            try (RawRedis connection = server.connect()) {
                server.version = RedisVersion.of(connection);
                if (config.mode() != ServerMode.SENTINEL) {
                    server.pristine = Pristine.of(connection);
                }
            }
            return server;
        } catch (RuntimeException e) {
            server.process.close();
            throw e;
        }
    }

    /**
     * The address as clients take it, such as {@code redis://127.0.0.1:12345}, or {@code rediss://} where they come by
     * TLS; without a password.
     */
    public String url() {
        return scheme() + "://" + host() + ":" + port();
    }

    String scheme() {
        return config.tls() == null ? "redis" : "rediss";
    }

    /**
     * The server's certificate, and the authority that clients have to trust.
     *
     * @throws IllegalStateException when clients come plainly
     */
    public ServerTls tls() {
        ServerTls tls = config.tls();
        if (tls == null) {
            throw new IllegalStateException(this + ": started without TLS");
        }
        return tls;
    }

    /**
     * The address of the server's Unix socket, such as {@code unix:///tmp/redis-1/server.sock}; without a password.
     *
     * @throws UnsupportedOperationException when the server runs in a container
     */
    public String socketUrl() {
        return "unix://" + directory().resolve(ServerConfig.SOCKET);
    }

    /** The host on which clients reach the server. */
    public String host() {
        return process.host();
    }

    /** The port on which clients reach the server; the same for the whole life of this object. */
    public int port() {
        return config.port();
    }

    /** The process id of the server; of the last one when none runs. */
    public synchronized long pid() {
        return process.pid();
    }

    /**
     * The directory in which the server keeps its files, the append-only file among them.
     *
     * @throws UnsupportedOperationException when the server runs in a container
     */
    public Path directory() {
        return process.directory();
    }

    /** Everything that the server has printed so far. */
    public String log() {
        return process.log();
    }

    /** The version of the server, as it says itself. */
    public RedisVersion version() {
        return version;
    }

    /** Where the server came from. */
    public RedisSource source() {
        return installation.source();
    }

    /** Whether the process exists; a paused server is alive. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether the process exists and isn't paused. */
    boolean isAnswering() {
        return isAlive() && !paused;
    }

    /** The port on which the test kit comes; the one of clients, unless they come by TLS. */
    int plainPort() {
        return config.plainPort();
    }

    /** The password that clients have to give, if one is required. */
    Optional<String> password() {
        return config.password();
    }

    /** Opens a plain connection, also where clients come by TLS, logged in with the password that the server was started with, if any. */
    public RawRedis connect() {
        RawRedis connection = RawRedis.connect(host(), config.plainPort());
        config.password().ifPresent(password -> connection.command("AUTH", password));
        return connection;
    }

    /** Stops the process with SIGSTOP: connections stay open, nothing answers, as with a machine that hangs. */
    public synchronized void pause() {
        requireAlive("pause");
        process.signal(Signal.STOP);
        paused = true;
    }

    /** Lets a paused server go on; it then answers what was sent meanwhile. */
    public synchronized void resume() {
        requireAlive("resume");
        process.signal(Signal.CONT);
        paused = false;
    }

    /** Ends the process with SIGKILL, also a paused one: nothing is saved, and the system resets the connections. */
    public synchronized void kill() {
        requireAlive("kill");
        process.signal(Signal.KILL);
        paused = false;
    }

    /** Ends the process with SIGTERM, as an administrator would: files are synced and connections closed. */
    public synchronized void stop() {
        requireAlive("stop");
        if (paused) {
            resume();
        }
        process.signal(Signal.TERM);
        if (!process.awaitExit(GRACE)) {
            kill();
            throw new IllegalStateException(this + ": still running " + GRACE.toSeconds()
                    + " s after SIGTERM, so it was killed. Its log:\n" + log());
        }
    }

    /** Starts the server again on the same port and with the same files, after stopping it if it still runs. */
    public synchronized void restart() {
        if (closed) {
            throw new IllegalStateException(this + ": closed, so it can't be restarted");
        }
        if (process.isAlive()) {
            stop();
        }
        startAgain();
    }

    /**
     * Brings the server back to how it was when it started: it runs, is empty, has its own settings, no scripts, no
     * users but its own, and its statistics begin at zero. Connections stay open, except when it must be started again.
     */
    public synchronized void reset() {
        if (closed) {
            throw new IllegalStateException(this + ": closed, so it can't be reset");
        }
        if (config.mode() == ServerMode.SENTINEL) {
            throw new IllegalStateException(this + ": a Sentinel, which has nothing that could be reset");
        }
        if (process.isAlive()) {
            if (paused) {
                resume();
            }
            try {
                restorePristine();
                return;
            } catch (RedisErrorReply | UncheckedIOException e) {
                // Changed in a way that locks us out, a password for example: only a new process helps.
                kill();
            }
        }
        startAgain();
        restorePristine();
    }

    /**
     * Cuts bytes off the end of the append-only file of a dead server: what a power loss does to writes that were not
     * yet on the disk.
     */
    public synchronized void cutAof(int bytes) {
        if (process.isAlive()) {
            throw new IllegalStateException(this + ": it writes to its file, so kill it first");
        }
        AppendOnlyFile.in(directory()).cut(bytes);
    }

    /** How long the append-only file is now. */
    public synchronized long aofSize() {
        return AppendOnlyFile.in(directory()).size();
    }

    /** Ends the process at once and removes its directory. Does nothing when already closed. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            process.close();
            FreePorts.release(port());
            FreePorts.release(config.plainPort());
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return (version().valkey() ? "valkey " : "redis ") + version() + " (" + source() + ") at " + url();
    }

    private void startProcess() {
        int logBefore = process.log().length();
        process.start();
        paused = false;
        new Startup(this, process, config.startTimeout()).await(logBefore);
        if (config.mode() == ServerMode.CLUSTER) {
            serveSlots();
        }
    }

    private void serveSlots() {
        try (RawRedis connection = connect()) {
            ClusterSlots slots = new ClusterSlots(connection);
            slots.takeAll();
            slots.awaitServed(config.startTimeout());
        }
    }

    /** Another process that looks for a free port may hold ours for an instant, while no server listens on it. */
    private void startAgain() {
        for (int attempt = 1; ; attempt++) {
            try {
                startProcess();
                return;
            } catch (PortTakenException e) {
                if (attempt == MOST_RESTARTS_TRIED) {
                    throw e;
                }
            }
        }
    }

    private void restorePristine() {
        try (RawRedis connection = connect()) {
            pristine.restore(connection);
        }
    }

    private void requireAlive(String operation) {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    this + ": no process runs, so there is nothing to " + operation + ". Its log:\n" + log());
        }
    }
}
