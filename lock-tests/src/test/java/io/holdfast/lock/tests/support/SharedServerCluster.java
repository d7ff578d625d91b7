package io.holdfast.lock.tests.support;

import io.holdfast.lock.testkit.RedisSource;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.ServerClusterBuilder;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One cluster for all tests of a class, of its {@link ClusterShape}; it is empty and whole before each of them. */
public class SharedServerCluster implements ParameterResolver {

    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(SharedServerCluster.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ServerCluster.class;
    }

    @Override
    public ServerCluster resolveParameter(ParameterContext parameter, ExtensionContext test) {
        ExtensionContext ofClass = test.getParent().orElse(test);
        // The store closes it with the class.
        ServerCluster cluster = ofClass.getStore(HERE)
                .getOrComputeIfAbsent(
                        "cluster", key -> described(test.getRequiredTestClass()).start(), ServerCluster.class);
        cluster.reset();
        return cluster;
    }

    /** What is started: three masters with a replica each, unless the test class has another shape. */
    ServerClusterBuilder described(Class<?> test) {
        ServerClusterBuilder cluster = ServerCluster.builder();
        Optional.ofNullable(test.getAnnotation(ClusterShape.class)).ifPresent(shape -> {
            cluster.spares(shape.spares());
            for (int older : shape.older()) {
                cluster.node(older, node -> node.source(RedisSource.OLDEST));
            }
        });
        return cluster;
    }
}
