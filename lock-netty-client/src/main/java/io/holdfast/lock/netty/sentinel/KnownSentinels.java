package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Other;
import io.holdfast.lock.netty.sentinel.Testimony.Voice;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Sentinels that a client knows: those of its address, and those that a majority of the known ones names. One that lies
 * must not bring its own majority.
 *
 * <p>Belongs to the event loop.
 */
final class KnownSentinels {

    /** As many as a sane group has, and more; bounds what Sentinels can make a client connect to. */
    private static final int MOST = 32;

    private final BiFunction<Target.Host, Boolean, KnownSentinel> connect;
    private final SentinelLog log;
    private final Map<Target.Host, KnownSentinel> byAddress = new LinkedHashMap<>();
    /** The same, for other threads. */
    private volatile List<KnownSentinel> all = List.of();

    /** @param connect makes a Sentinel of an address, and of whether it is a seed */
    KnownSentinels(BiFunction<Target.Host, Boolean, KnownSentinel> connect, SentinelLog log) {
        this.connect = connect;
        this.log = log;
    }

    /** Adds one that stands in the client's address; all of them come before others. */
    void addSeed(Target.Host address) {
        add(address, true);
    }

    /** How the connections stand. Any thread. */
    Stream<NodeConnection> look() {
        return all.stream().flatMap(KnownSentinel::look);
    }

    /** Under how many addresses Sentinels are known. */
    int size() {
        return byAddress.size();
    }

    void each(Consumer<KnownSentinel> step) {
        List.copyOf(byAddress.values()).forEach(step);
    }

    boolean any(Predicate<KnownSentinel> test) {
        return byAddress.values().stream().anyMatch(test);
    }

    /** What those said that have answered in this round. */
    List<Testimony> said() {
        return byAddress.values().stream()
                .map(KnownSentinel::testimony)
                .filter(Objects::nonNull)
                .toList();
    }

    /** What each has said last, whenever that was, if it has said anything. */
    List<DatedTestimony> latest() {
        return byAddress.values().stream()
                .map(KnownSentinel::latest)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Why the others have not. */
    List<Fault> obstacles() {
        return byAddress.values().stream()
                .filter(sentinel -> sentinel.testimony() == null)
                .map(KnownSentinel::obstacle)
                .toList();
    }

    /**
     * Connects to those that are named and were not known.
     *
     * @return whether there are any
     */
    boolean learn(List<Testimony> said) {
        if (any(KnownSentinel::isUnheard)) {
            // One of those that are named may be one that is known under another address.
            return false;
        }
        Set<Target.Host> aliases = addressesOfKnown(said);
        boolean learned = false;
        for (Target.Host named : Vote.named(said, size())) {
            if (!byAddress.containsKey(named) && !aliases.contains(named) && size() < MOST) {
                log.learned(add(named, false).node());
                learned = true;
            }
        }
        return learned;
    }

    /**
     * Leaves those that are known under another address and say the same there; those that are silent, and that no Sentinel
     * names which answers; and those that no seed names, where a majority of the seeds answers. A group that was set up anew
     * behind the same names knows nothing of the Sentinels of before, and these must not outvote it.
     */
    void forget(List<Testimony> said) {
        Set<Voice> voices = new HashSet<>();
        forgetIf((address, sentinel) ->
                sentinel.testimony() != null && !voices.add(sentinel.testimony().voice()));
        if (!said.isEmpty()) {
            Set<Target.Host> named = named(said);
            forgetIf((address, sentinel) -> sentinel.testimony() == null && !named.contains(address));
        }
        List<KnownSentinel> seeds =
                byAddress.values().stream().filter(KnownSentinel::isSeed).toList();
        List<Testimony> saidBySeeds = seeds.stream()
                .map(KnownSentinel::testimony)
                .filter(Objects::nonNull)
                .toList();
        if (2 * saidBySeeds.size() > seeds.size()) {
            Set<Target.Host> named = named(saidBySeeds);
            forgetIf((address, sentinel) -> !named.contains(address));
        }
    }

    private static Set<Target.Host> named(List<Testimony> said) {
        return said.stream()
                .map(Testimony::others)
                .flatMap(Collection::stream)
                .map(Other::address)
                .collect(Collectors.toSet());
    }

    /** Ends all connections. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                byAddress.values().stream().map(KnownSentinel::close).toArray(CompletableFuture[]::new));
    }

    /** How others call those that are known, which may be in other ways than the client does. */
    private Set<Target.Host> addressesOfKnown(List<Testimony> said) {
        Set<String> ids = byAddress.values().stream()
                .map(KnownSentinel::id)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return said.stream()
                .map(Testimony::others)
                .flatMap(Collection::stream)
                .filter(other -> ids.contains(other.id()))
                .map(Other::address)
                .collect(Collectors.toSet());
    }

    private KnownSentinel add(Target.Host address, boolean isSeed) {
        KnownSentinel sentinel = connect.apply(address, isSeed);
        byAddress.put(address, sentinel);
        all = List.copyOf(byAddress.values());
        sentinel.start();
        return sentinel;
    }

    private void forgetIf(BiPredicate<Target.Host, KnownSentinel> isUseless) {
        byAddress.entrySet().removeIf(each -> {
            KnownSentinel sentinel = each.getValue();
            boolean isForgotten = isUseless.test(each.getKey(), sentinel) && !sentinel.isSeed();
            if (isForgotten) {
                log.forgotten(sentinel.node());
                sentinel.close();
            }
            return isForgotten;
        });
        all = List.copyOf(byAddress.values());
    }
}
