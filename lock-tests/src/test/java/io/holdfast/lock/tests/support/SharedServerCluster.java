package io.holdfast.lock.tests.support;

import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.ServerClusterBuilder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One cluster for all tests of a class; it is empty and whole before each of them. */
public class SharedServerCluster implements ParameterResolver {

    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(SharedServerCluster.class);

    private static final int MASTERS = 3;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ServerCluster.class;
    }

    @Override
    public ServerCluster resolveParameter(ParameterContext parameter, ExtensionContext test) {
        ExtensionContext ofClass = test.getParent().orElse(test);
        // The store closes it with the class.
        ServerCluster cluster = ofClass.getStore(HERE)
                .getOrComputeIfAbsent("cluster", key -> described().start(), ServerCluster.class);
        cluster.reset();
        return cluster;
    }

    /** What is started: three masters with a replica each. */
    ServerClusterBuilder described() {
        return ServerCluster.builder().masters(MASTERS).replicas(1);
    }
}
