package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.quorum.Quorum;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The locks of the stores, page by page as they are read: one request at a time, on the reader's thread, and with pauses in which
 * a server serves others.
 *
 * <p>Over several nodes the locks are those that any node knows, and each is what a majority says of it. A node that is not
 * there, or does not answer, is asked once.
 */
public final class Search extends Spliterators.AbstractSpliterator<LockInfo> {

    /** How much longer a server has for others than for a page. */
    private static final int PAUSES_PER_PAGE = 39;

    private final ClientFacts facts;
    private final Exchanges exchanges;
    private final @Nullable Quorum quorum;
    private final Cells cells;
    private final LockQuery query;
    private final ScanSource source;
    private final Holders holders;

    private final Queue<LockPages> stores = new ArrayDeque<>();
    private final List<Store> answering;
    /** A server may name a key several times. */
    private final Set<LockKeys> seen = new HashSet<>();

    private final Queue<LockInfo> ready = new ArrayDeque<>();
    private boolean asksForHolders = true;
    private long pauseNanos;
    private volatile boolean closed;

    private Search(ClientFacts facts, Exchanges exchanges, @Nullable Quorum quorum, Cells cells, LockQuery query) {
        super(Long.MAX_VALUE, Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.ORDERED);
        this.facts = facts;
        this.exchanges = exchanges;
        this.quorum = quorum;
        this.cells = cells;
        this.query = query;
        LockOptions options = query.options().orElse(facts.options().lockOptions());
        this.source = new ScanSource(facts, exchanges, query, KeyLayout.of(options));
        this.holders = new Holders(facts, exchanges, options.prefix());
        this.answering = new ArrayList<>(facts.stores());
        facts.stores().forEach(store -> stores.add(new LockPages(source, store)));
    }

    /**
     * Prepares a search. Nothing is asked before the stream is read.
     *
     * @throws IllegalStateException on a thread that must not wait
     */
    public static Stream<LockInfo> of(
            ClientFacts facts, Exchanges exchanges, @Nullable Quorum quorum, Cells cells, LockQuery query) {
        parked(facts);
        Search search = new Search(facts, exchanges, quorum, cells, query);
        return StreamSupport.stream(search, false).onClose(() -> search.closed = true);
    }

    private static <T> Parked<T> parked(ClientFacts facts) {
        return new Parked<>(facts.runtime().blocker(), "locks");
    }

    @Override
    public boolean tryAdvance(Consumer<? super LockInfo> action) {
        while (ready.isEmpty()) {
            LockPages pages = stores.peek();
            if (closed || pages == null) {
                return false;
            }
            readFrom(pages);
        }
        action.accept(ready.remove());
        return true;
    }

    private void readFrom(LockPages pages) {
        pause();
        long askedNanos = facts.nanos();
        Map<LockKeys, LockSnapshot> page = page(pages);
        if (pages.isOver() || !answering.contains(pages.store)) {
            stores.remove();
        }
        page.keySet().removeIf(keys -> !query.matches(keys.name()) || !seen.add(keys));
        if (quorum != null && !page.isEmpty()) {
            page = agreed(pages.store, page, quorum.longestNodeTimeoutNanos());
        }
        page.values().removeIf(snapshot -> !snapshot.isLocked());
        findHolders(page.values());
        page.forEach((keys, snapshot) -> ready.add(Inspection.info(facts, cells, keys, snapshot, holders)));
        pauseNanos = PAUSES_PER_PAGE * Math.min(facts.nanos() - askedNanos, pages.mostWorkNanos());
    }

    /** A server spends a fortieth of its time at most on this, also where it is next door. */
    private void pause() {
        if (pauseNanos > 0 && !stores.isEmpty()) {
            Parked<Done> over = parked(facts);
            exchanges.after(pauseNanos, () -> over.complete(Done.DONE));
            over.await();
            pauseNanos = 0;
        }
    }

    private Map<LockKeys, LockSnapshot> page(LockPages pages) {
        if (quorum == null) {
            return pages.next(facts.runtime().blocker());
        }
        LockException failure;
        try {
            if (pages.store.isUp()) {
                return pages.next(facts.runtime().blocker());
            }
            failure = Failures.ofSearch(
                    query, new Fault(Fault.Kind.UNREACHABLE, false, pages.store.node(), "not connected"));
        } catch (LockException noAnswer) {
            failure = noAnswer;
        }
        silent(pages.store, failure);
        return new LinkedHashMap<>();
    }

    /** A node is not asked any more; without a majority there is no answer. */
    private void silent(Store store, LockException failure) {
        answering.remove(store);
        if (answering.size() < majority() || facts.isClosed()) {
            throw failure;
        }
    }

    private int majority() {
        return HoldLeases.majority(facts.stores().size());
    }

    /** What a majority says of locks that one node knows. */
    private Map<LockKeys, LockSnapshot> agreed(Store first, Map<LockKeys, LockSnapshot> page, long lateNanos) {
        List<LockKeys> locks = List.copyOf(page.keySet());
        List<Store> asked = answering.stream()
                .filter(store -> store != first && store.isUp())
                .toList();
        Parked<Map<Store, List<LockSnapshot>>> parked = parked(facts);
        new QuorumQuery<List<LockSnapshot>>(
                        facts,
                        asked,
                        majority() - 1,
                        lateNanos,
                        fault -> Failures.ofSearch(query, fault),
                        store -> source.named(store, locks))
                .ask(said -> said, parked);
        Map<Store, List<LockSnapshot>> others = parked.await();
        for (Store store : asked) {
            if (!others.containsKey(store)) {
                silent(store, Failures.ofSearch(query, Failures.noAnswer(store.node(), false)));
            }
        }
        Map<LockKeys, LockSnapshot> agreed = new LinkedHashMap<>();
        for (int i = 0; i < locks.size(); i++) {
            List<LockSnapshot> said = new ArrayList<>();
            said.add(page.get(locks.get(i)));
            for (List<LockSnapshot> other : others.values()) {
                said.add(other.get(i));
            }
            agreed.put(locks.get(i), LockSnapshot.agreed(said, majority()));
        }
        return agreed;
    }

    /** Which processes hold them; not asked any more once a store has not said. */
    private void findHolders(Collection<LockSnapshot> snapshots) {
        if (asksForHolders && !snapshots.isEmpty()) {
            Parked<Boolean> parked = parked(facts);
            holders.find(snapshots, answering, facts.nanos() + facts.commandNanos(), parked);
            asksForHolders = parked.await();
        }
    }
}
