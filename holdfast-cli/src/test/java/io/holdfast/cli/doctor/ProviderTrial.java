package io.holdfast.cli.doctor;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Tries all kinds of locks on real servers, through proxies that refuse what a provider refuses. */
final class ProviderTrial {

    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final Duration NODE_PATIENCE = Duration.ofSeconds(1);

    /** The last column of tables. */
    static final String QUORUM = "quorum";

    /**
     * What came of one provider.
     *
     * @param profile which one
     * @param connect {@code connects}, or the reason of the refusal
     * @param words those of the refusal, or of the first kind that does not work; empty if all do
     * @param verdicts of each {@link TriedKind}, and of a plain lock on a quorum; empty if no client could connect
     */
    record Row(ProviderProfile profile, String connect, String words, List<String> verdicts) {}

    private static final Executor THREADS = task -> new Thread(task, "quorum trial").start();

    /** A small machine that does much at a time is slow, and that is not what is tried. */
    private final ClientOptions options = ClientOptions.builder()
            .connectTimeout(PATIENCE)
            .commandTimeout(PATIENCE)
            .lockOptions(LockTrial.options())
            .build();

    private final QuorumOptions quorumOptions =
            QuorumOptions.builder().nodeTimeout(NODE_PATIENCE).build();

    private final RedisServer server;
    private final RedisServer cluster;
    private final List<RedisServer> nodes;

    /**
     * @param server that of the locks that one server has
     * @param cluster the same for providers of clusters: a cluster of one node
     * @param nodes those of a quorum
     */
    ProviderTrial(RedisServer server, RedisServer cluster, List<RedisServer> nodes) {
        this.server = server;
        this.cluster = cluster;
        this.nodes = nodes;
    }

    /** Tries one provider. */
    Row run(ProviderProfile profile) {
        List<FaultProxy> proxies = new ArrayList<>();
        try {
            String url = proxy(profile.mode() == ServerMode.CLUSTER ? cluster : server, profile, proxies);
            List<String> quorum =
                    nodes.stream().map(node -> proxy(node, profile, proxies)).toList();
            try (LockClient one = LockClient.connect(url, options);
                    LockClient other = LockClient.connect(url, options);
                    LockClient oneOfMany = LockClient.connectQuorum(quorum, options, quorumOptions);
                    LockClient otherOfMany = LockClient.connectQuorum(quorum, options, quorumOptions)) {
                String prefix = profile.name() + ":";
                LockTrial many = new LockTrial(oneOfMany, otherOfMany, prefix + QUORUM + ":");
                CompletableFuture<List<TrialOutcome>> quorumOutcomes =
                        CompletableFuture.supplyAsync(() -> many.run(List.of(TriedKind.PLAIN)), THREADS);
                List<TrialOutcome> outcomes =
                        new ArrayList<>(new LockTrial(one, other, prefix).run(List.of(TriedKind.values())));
                outcomes.addAll(quorumOutcomes.join());
                String words = outcomes.stream()
                        .map(TrialOutcome::words)
                        .filter(said -> !said.isEmpty())
                        .findFirst()
                        .orElse("");
                return new Row(
                        profile,
                        "connects",
                        words,
                        outcomes.stream().map(TrialOutcome::verdict).toList());
            } catch (RuntimeException refused) {
                return new Row(profile, TrialOutcome.verdict(refused), String.valueOf(refused.getMessage()), List.of());
            }
        } finally {
            Collections.reverse(proxies);
            proxies.forEach(FaultProxy::close);
        }
    }

    private static String proxy(RedisServer server, ProviderProfile profile, List<FaultProxy> proxies) {
        FaultProxy proxy = FaultProxy.to(server);
        proxies.add(proxy);
        proxy.onRequest(profile.rule());
        return proxy.url();
    }
}
