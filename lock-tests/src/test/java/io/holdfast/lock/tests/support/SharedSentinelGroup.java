package io.holdfast.lock.tests.support;

import io.holdfast.lock.testkit.SentinelGroup;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One Sentinel group for all tests of a class that cause no failover; its primary is empty before each of them. */
public final class SharedSentinelGroup implements ParameterResolver {

    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(SharedSentinelGroup.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == SentinelGroup.class;
    }

    @Override
    public SentinelGroup resolveParameter(ParameterContext parameter, ExtensionContext test) {
        ExtensionContext ofClass = test.getParent().orElse(test);
        // The store closes it with the class.
        SentinelGroup group =
                ofClass.getStore(HERE).getOrComputeIfAbsent("group", key -> SentinelGroup.start(), SentinelGroup.class);
        group.primary().reset();
        return group;
    }
}
