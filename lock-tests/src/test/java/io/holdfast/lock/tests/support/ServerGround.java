package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** Real servers, real time and real threads. */
public class ServerGround implements Ground {

    /** Where Sentinels hear of each other, at every server that they watch. */
    private static final String OF_SENTINELS = "__sentinel__:hello";
    /** Of several servers, one that did not answer in time is asked again with a renewal: a third of the longest lease here. */
    private static final Duration SETTLED = Duration.ofSeconds(15);

    /** Opens servers before a test, and looks at what is left behind it. */
    private static final class Servers extends ServerTest {}

    private final Servers test = new Servers();
    private final Function<ClientOptions, Site> connector;
    private final ExecutorService background = Executors.newCachedThreadPool();

    public ServerGround(RedisServers servers, Site.Kind kind) {
        this(servers, options -> kind.connect(servers, options));
    }

    /** Servers to which a test has a way of its own. */
    public ServerGround(List<RedisServer> servers, Function<ClientOptions, Site> connector) {
        this.connector = connector;
        test.look(servers);
    }

    /** Has what leads to the servers closed after the clients, in the end. */
    public void closing(AutoCloseable way) {
        test.closing(way);
    }

    @Override
    public Site connect(ClientOptions options) {
        return test.closing(connector.apply(options));
    }

    @Override
    public Caller caller() {
        return new OwnThread();
    }

    @Override
    public <T> Future<T> elsewhere(Callable<T> task) {
        return background.submit(task);
    }

    @Override
    public <T> T get(Future<T> future) {
        return Futures.get(future);
    }

    @Override
    public void eventually(ThrowingRunnable assertion) {
        ServerTest.eventually(SETTLED, assertion);
    }

    @Override
    public void pause() {
        Thread.yield();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    /** Over several nodes only the script that asks for locks asks for the time, and the one that undoes it where its answer came late. */
    protected String commandOfAttempts(int servers) {
        return servers == 1 ? "evalsha" : "time";
    }

    /** How many channels of locks have subscribers at a server. */
    private static int channels(RawRedis server) {
        boolean sharded = "1".equals(server.info("cluster").get("cluster_enabled"));
        List<String> kinds = sharded ? List.of("CHANNELS", "SHARDCHANNELS") : List.of("CHANNELS");
        return (int) kinds.stream()
                .flatMap(kind -> server.list("PUBSUB", kind).stream())
                .filter(channel -> !channel.equals(OF_SENTINELS))
                .count();
    }

    /** The servers as a test sees them. */
    protected List<Node> nodes(List<Node> each) {
        return each;
    }

    @Override
    public List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < test.servers.size(); i++) {
            nodes.add(new ServerNode(test.servers.get(i), test.raws.get(i)));
        }
        return nodes(nodes);
    }

    @Override
    public void end() throws Exception {
        background.shutdownNow();
        test.nothingIsLeft();
    }

    /** A real thread. */
    static final class OwnThread implements Caller {

        private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread owner = new Thread(work, "party");
            owner.setDaemon(true);
            return owner;
        });

        @Override
        public <T> T call(Callable<T> body) {
            try {
                return thread.submit(body).get();
            } catch (ExecutionException failed) {
                throw Futures.unwrapped(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    private final class ServerNode implements Node {

        private final RedisServer server;
        private final RawRedis raw;

        ServerNode(RedisServer server, RawRedis raw) {
            this.server = server;
            this.raw = raw;
        }

        @Override
        public List<String> keys() {
            return raw.list("KEYS", "*");
        }

        @Override
        public Map<String, String> hash(String key) {
            return raw.map("HGETALL", key);
        }

        /** By a connection of its own, for any thread may ask. */
        @Override
        public @Nullable String value(String key) {
            try (RawRedis connection = server.connect()) {
                return connection.text("GET", key);
            }
        }

        @Override
        public void set(String key, String value) {
            try (RawRedis connection = server.connect()) {
                connection.command("SET", key, value);
            }
        }

        @Override
        public void delete(String key) {
            raw.command("DEL", key);
        }

        @Override
        public void setField(String key, String field, String value) {
            raw.command("HSET", key, field, value);
        }

        @Override
        public void deleteField(String key, String field) {
            raw.command("HDEL", key, field);
        }

        @Override
        public long timeToLive(String key) {
            return raw.integer("PTTL", key);
        }

        @Override
        public void persist(String key) {
            raw.command("PERSIST", key);
        }

        @Override
        public int channels() {
            return ServerGround.channels(raw);
        }

        @Override
        public long attempts() {
            return raw.calls(commandOfAttempts(test.servers.size()));
        }
    }
}
