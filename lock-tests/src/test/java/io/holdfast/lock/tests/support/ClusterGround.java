package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A cluster, whose nodes are seen as one server: a key is where its slot is. */
public final class ClusterGround extends ServerGround {

    private final ServerCluster cluster;

    public ClusterGround(ServerCluster cluster) {
        this(cluster, options -> options);
    }

    private ClusterGround(ServerCluster cluster, UnaryOperator<ClientOptions> further) {
        super(cluster.nodes(), options -> Site.of(LockClient.connect(cluster.url(), further.apply(options))));
        this.cluster = cluster;
    }

    /** One whose clients come by TLS. */
    public static ClusterGround secured(ServerCluster cluster) {
        RedisServer any = cluster.nodes().get(0);
        return new ClusterGround(cluster, options -> TrustedTls.options(any, options));
    }

    @Override
    protected List<Node> nodes(List<Node> each) {
        return List.of(new AllNodes(each));
    }

    @Override
    protected String commandOfAttempts(int servers) {
        return "evalsha";
    }

    @Override
    protected List<String> channelKinds() {
        return List.of("CHANNELS", "SHARDCHANNELS");
    }

    private final class AllNodes implements Node {

        private final List<Node> each;

        AllNodes(List<Node> each) {
            this.each = each;
        }

        private Node of(String key) {
            return each.get(cluster.nodes().indexOf(cluster.masterOf(key)));
        }

        /** Those of the masters: a replica has the same. */
        @Override
        public List<String> keys() {
            return cluster.masters().stream()
                    .flatMap(master -> each.get(cluster.nodes().indexOf(master)).keys().stream())
                    .toList();
        }

        @Override
        public Map<String, String> hash(String key) {
            return of(key).hash(key);
        }

        @Override
        public @Nullable String value(String key) {
            return of(key).value(key);
        }

        @Override
        public void set(String key, String value) {
            of(key).set(key, value);
        }

        @Override
        public void delete(String key) {
            of(key).delete(key);
        }

        @Override
        public void setField(String key, String field, String value) {
            of(key).setField(key, field, value);
        }

        @Override
        public void deleteField(String key, String field) {
            of(key).deleteField(key, field);
        }

        @Override
        public long timeToLive(String key) {
            return of(key).timeToLive(key);
        }

        @Override
        public void persist(String key) {
            of(key).persist(key);
        }

        @Override
        public int channels() {
            return each.stream().mapToInt(Node::channels).sum();
        }

        @Override
        public long attempts() {
            return each.stream().mapToLong(Node::attempts).sum();
        }
    }
}
