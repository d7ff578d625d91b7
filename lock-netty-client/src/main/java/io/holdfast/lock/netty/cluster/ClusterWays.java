package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.ConnectionSettings;

/** How a client reaches the nodes of a cluster. */
public interface ClusterWays {

    /** A node that the user has named. */
    ConnectionSettings toSeed(Target.Host seed);

    /** A node that another one has named. */
    ConnectionSettings toNode(Target.Host announced);
}
