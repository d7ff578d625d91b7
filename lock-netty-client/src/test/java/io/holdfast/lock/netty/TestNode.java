package io.holdfast.lock.netty;

import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.TlsOptions;
import io.holdfast.lock.netty.address.NameService;
import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.SystemNames;
import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionNews;
import io.holdfast.lock.netty.connection.ConnectionSettings;
import io.holdfast.lock.netty.credentials.FixedLogins;
import io.holdfast.lock.netty.credentials.ProvidedLogins;
import io.holdfast.lock.netty.resp.RespLimits;
import io.holdfast.lock.netty.tls.ClientTls;
import io.holdfast.lock.netty.topology.SingleNode;
import io.holdfast.lock.netty.topology.SurveyPlan;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeListener;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A backend for one server with quick settings, and what its listeners heard. */
public final class TestNode implements AutoCloseable {

    public static final Script ECHO = new Script("echo", "return ARGV[1]");
    public static final Script SET = new Script("set", "return redis.call('SET', KEYS[1], ARGV[1])");

    /** As {@link #ECHO}, of calls that go first. */
    public static final Script URGENT_ECHO = Script.urgent("urgent-echo", "return ARGV[1]");

    private static final NameService NAMES = new SystemNames();

    /** What the node said, in its order. */
    public final List<String> news = new CopyOnWriteArrayList<>();

    public final SingleNode node;
    public final ConnectionSettings settings;
    private final NettyRuntime runtime;

    private TestNode(ConnectionSettings settings, IoTransport transport) {
        this(NettyRuntime.start(settings.clientName(), 1, transport, Optional.empty()), settings);
    }

    private TestNode(NettyRuntime runtime, ConnectionSettings settings) {
        this(runtime, settings, runtime::close);
    }

    private TestNode(NettyRuntime runtime, ConnectionSettings settings, Supplier<CompletionStage<Void>> closeRuntime) {
        this(runtime, settings, SurveyPlan.of(settings), closeRuntime);
    }

    private TestNode(
            NettyRuntime runtime,
            ConnectionSettings settings,
            SurveyPlan plan,
            Supplier<CompletionStage<Void>> closeRuntime) {
        this.runtime = runtime;
        this.settings = settings;
        node = SingleNode.open(settings, plan, runtime, runtime.loops(), () -> {
            settings.logins().close();
            return closeRuntime.get();
        });
        node.listen(new NodeListener() {
            @Override
            public void up(String address, ServerRun run) {
                news.add("up " + run.id());
            }

            @Override
            public void down(String address, Fault fault) {
                news.add("down " + fault.kind());
            }
        });
    }

    /** A node that is connected. */
    public static TestNode connect(String url) {
        return connect(settings(url));
    }

    public static TestNode connect(ConnectionSettings settings) {
        TestNode node = lazy(settings);
        node.node.connect().toCompletableFuture().join();
        return node;
    }

    /** A node that is connected, and that beats every 500 ms. */
    public static TestNode connectNervously(String url) {
        return connect(settings(url, Duration.ofMillis(500), 65_536));
    }

    /** A node that is connected, with a queue in which calls may wait for as long as a busy machine takes. */
    public static TestNode connectPatiently(String url) {
        return connect(settings(url, NAMES, Duration.ofSeconds(20), Duration.ofSeconds(2), 65_536));
    }

    /** A node that connects when it is used. */
    public static TestNode lazy(ConnectionSettings settings) {
        return new TestNode(settings, IoTransport.AUTO);
    }

    /** The same, with replicas that a survey reaches in a way of the test's own. */
    public static TestNode lazy(ConnectionSettings settings, Function<Target.Host, ConnectionSettings> replica) {
        NettyRuntime runtime = NettyRuntime.start(settings.clientName(), 1, IoTransport.AUTO, Optional.empty());
        return new TestNode(runtime, settings, new SurveyPlan(List.of(settings), replica), runtime::close);
    }

    /** A node that connects when it is used, with the settings of {@link #settings(String)} and a user's provider. */
    public static TestNode lazy(String url, CredentialsProvider provider) {
        NettyRuntime runtime = NettyRuntime.start("test", 1, IoTransport.AUTO, Optional.empty());
        ConnectionSettings plain = settings(url);
        return new TestNode(
                runtime,
                new ConnectionSettings(
                        plain.server(),
                        new ProvidedLogins(provider, runtime, runtime.guests(), plain.clientName()),
                        plain.clientName(),
                        plain.tls(),
                        plain.whereabouts(),
                        plain.connectTimeoutNanos(),
                        plain.commandTimeoutNanos(),
                        plain.heartbeatNanos(),
                        plain.backoffMinNanos(),
                        plain.backoffMaxNanos(),
                        plain.queueLimit(),
                        plain.limits(),
                        plain.news()));
    }

    /** A node that connects when it is used, on the event loop of this one, which is closed after it. */
    public TestNode beside(ConnectionSettings others) {
        return new TestNode(runtime, others, () -> CompletableFuture.completedFuture(null));
    }

    /** The same, connected. */
    public static TestNode connect(String url, CredentialsProvider provider) {
        TestNode node = lazy(url, provider);
        node.node.connect().toCompletableFuture().join();
        return node;
    }

    public static TestNode over(IoTransport transport, String url) {
        TestNode node = new TestNode(settings(url), transport);
        node.node.connect().toCompletableFuture().join();
        return node;
    }

    /** Connect timeout 3 s, command timeout 500 ms, heartbeat 2 s, backoff 10 to 200 ms. */
    public static ConnectionSettings settings(String url) {
        return settings(url, Duration.ofSeconds(2), 65_536);
    }

    public static ConnectionSettings settings(String url, Duration heartbeat, int queueLimit) {
        return settings(url, NAMES, Duration.ofMillis(500), heartbeat, queueLimit);
    }

    /** The settings of {@link #settings(String)}, for a host whose addresses are the given ones. */
    public static ConnectionSettings settings(String url, NameService names) {
        return settings(url, names, Duration.ofMillis(500), Duration.ofSeconds(2), 65_536);
    }

    /** The same for a server that answers late or not at all: neither time-out nor heartbeat comes in between. */
    public static ConnectionSettings settingsForSilence(String url, Duration silence) {
        return settings(url, NAMES, Duration.ofSeconds(3), silence, silence, 65_536);
    }

    /** The settings of {@link #settings(String)}, but for the connect timeout. */
    public static ConnectionSettings settings(String url, Duration connectTimeout) {
        return settings(url, NAMES, connectTimeout, Duration.ofMillis(500), Duration.ofSeconds(2), 65_536);
    }

    /** The settings of {@link #settings(String)}, with a connect timeout for a busy machine, and secured. */
    public static ConnectionSettings settings(String url, TlsOptions tls) {
        return settings(url, tls, NAMES);
    }

    /** The same, for a host whose addresses are the given ones. */
    public static ConnectionSettings settings(String url, TlsOptions tls, NameService names) {
        return settings(url, tls, names, Duration.ofSeconds(10));
    }

    /** The same, with another connect timeout. */
    public static ConnectionSettings settings(String url, TlsOptions tls, NameService names, Duration connectTimeout) {
        return settings(
                url,
                ClientTls.open(tls, "test"),
                names,
                connectTimeout,
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                65_536);
    }

    private static ConnectionSettings settings(
            String url, NameService names, Duration commandTimeout, Duration heartbeat, int queueLimit) {
        return settings(url, names, Duration.ofSeconds(3), commandTimeout, heartbeat, queueLimit);
    }

    private static ConnectionSettings settings(
            String url,
            NameService names,
            Duration connectTimeout,
            Duration commandTimeout,
            Duration heartbeat,
            int queueLimit) {
        return settings(url, null, names, connectTimeout, commandTimeout, heartbeat, queueLimit);
    }

    private static ConnectionSettings settings(
            String url,
            ClientTls tls,
            NameService names,
            Duration connectTimeout,
            Duration commandTimeout,
            Duration heartbeat,
            int queueLimit) {
        RedisUri server = RedisUri.parse(url);
        return new ConnectionSettings(
                server,
                new FixedLogins(server.user(), server.password()),
                "test",
                tls,
                ClientConnections.whereabouts(server.target(), names, "test"),
                connectTimeout.toNanos(),
                commandTimeout.toNanos(),
                heartbeat.toNanos(),
                TimeUnit.MILLISECONDS.toNanos(10),
                TimeUnit.MILLISECONDS.toNanos(200),
                queueLimit,
                RespLimits.DEFAULT,
                new ConnectionNews());
    }

    /** Sends a script with one key and one argument. */
    public Probe send(Script script, String key, String argument, Duration timeout) {
        Probe probe = new Probe(script, key, argument, System.nanoTime() + timeout.toNanos());
        node.send(probe);
        return probe;
    }

    public Probe echo(String argument) {
        return send(ECHO, "key", argument, Duration.ofSeconds(20));
    }

    public Subscription subscribe(String channel, Wakeup wakeup) {
        return node.subscribe(0, channel.getBytes(StandardCharsets.UTF_8), wakeup);
    }

    @Override
    public void close() {
        node.close(0).toCompletableFuture().join();
    }
}
