package io.holdfast.lock.testkit.provider;

import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.FrameRule;
import io.holdfast.lock.testkit.ServerMode;
import java.util.List;
import java.util.function.Supplier;

/**
 * A provider of servers, or a proxy before them, as its documents and those who met it describe it: what it answers otherwise
 * than a server does. {@link Providers} has them.
 *
 * <pre>{@code
 * proxy.onRequest(Providers.ENVOY.rule());
 * }</pre>
 */
public final class ProviderProfile {
    private final String name;
    private final List<String> sources;
    private final ServerMode mode;
    private final Supplier<List<ProviderRule>> rules;

    /** Of a server alone. */
    ProviderProfile(String name, List<String> sources, Supplier<List<ProviderRule>> rules) {
        this(name, sources, ServerMode.STANDALONE, rules);
    }

    /** @param rules made anew for each proxy, since some remember what they saw; the first that has an answer counts */
    ProviderProfile(String name, List<String> sources, ServerMode mode, Supplier<List<ProviderRule>> rules) {
        this.name = name;
        this.sources = sources;
        this.mode = mode;
        this.rules = rules;
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** The addresses of what the profile was made from. */
    public List<String> sources() {
        return sources;
    }

    /** What the servers behind it are. */
    public ServerMode mode() {
        return mode;
    }

    /** Plays it in one proxy. */
    public FrameRule rule() {
        List<ProviderRule> all = rules.get();
        return frame -> {
            List<String> words = frame.words();
            return all.stream()
                    .map(rule -> rule.judge(words))
                    .filter(fate -> !fate.equals(FrameFate.PASS))
                    .findFirst()
                    .orElse(FrameFate.PASS);
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
