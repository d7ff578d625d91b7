package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import java.util.List;
import java.util.function.UnaryOperator;

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
        List<RedisServer> nodes = cluster.nodes();
        return List.of(new NodesTogether(
                each,
                () -> cluster.masters().stream()
                        .map(master -> each.get(nodes.indexOf(master)))
                        .toList(),
                key -> each.get(nodes.indexOf(cluster.masterOf(key)))));
    }

    @Override
    protected String commandOfAttempts(int servers) {
        return "evalsha";
    }
}
