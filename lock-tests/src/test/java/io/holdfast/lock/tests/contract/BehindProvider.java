package io.holdfast.lock.tests.contract;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import io.holdfast.lock.testkit.provider.Providers;
import io.holdfast.lock.tests.support.Ground;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.Site;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Real servers behind a proxy that refuses what a provider refuses. */
final class BehindProvider {

    /** Envoy has no subscriptions, by which the contract sees that a call waits. */
    private static final Set<ProviderProfile> WITH_LIMITS = Set.of(
            Providers.NONE,
            Providers.ELASTICACHE_SERVERLESS,
            Providers.ENVOY,
            Providers.OCI_SHARDED,
            Providers.TWEMPROXY);

    private BehindProvider() {}

    static Ground ground(RedisServer server, ProviderProfile profile) {
        FaultProxy proxy = FaultProxy.to(server);
        proxy.onRequest(profile.rule());
        ServerGround ground =
                new ServerGround(List.of(server), options -> Site.of(LockClient.connect(proxy.url(), options)));
        ground.closing(proxy);
        return ground;
    }

    /** The providers that offer all kinds of locks. */
    static Stream<ProviderProfile> ofAllKinds() {
        return Providers.all().stream().filter(profile -> !WITH_LIMITS.contains(profile));
    }
}
