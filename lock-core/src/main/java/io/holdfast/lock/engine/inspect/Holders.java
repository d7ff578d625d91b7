package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Identity;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.RecordKey;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.spi.Reply;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Which processes the holders of locks are, by the records that their clients keep under one prefix. */
final class Holders {

    /** What a record says, in the order in which it is read. */
    private static final List<String> FIELDS = List.of("application", "host", "process", "version", "since");

    /** What one search remembers. */
    private static final int MOST_KNOWN = 100_000;

    private final ClientFacts facts;
    private final Exchanges exchanges;
    private final String prefix;
    /** By the clients' ids; empty for those without a record. */
    private final Map<String, Optional<ClientInfo>> known = new ConcurrentHashMap<>();

    Holders(ClientFacts facts, Exchanges exchanges, String prefix) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.prefix = prefix;
    }

    /** The client that was seen to hold a lock under this field, as far as it was found. */
    Optional<ClientInfo> of(String field) {
        String id = RecordKey.clientOf(field);
        return id.equals(facts.clientId()) ? facts.identity() : known.getOrDefault(id, Optional.empty());
    }

    /**
     * Finds the clients that were seen to hold locks. It never fails: who they are is beside the point.
     *
     * @param dueNanos when what was not found by then stays unknown
     * @param result whether every store that was asked has answered
     */
    void find(Collection<LockSnapshot> seen, List<Store> stores, long dueNanos, Pending<Boolean> result) {
        Set<String> ids = new TreeSet<>();
        for (LockSnapshot each : seen) {
            for (String field : each.fields()) {
                String id = RecordKey.clientOf(field);
                if (!id.isEmpty() && !id.equals(facts.clientId()) && !known.containsKey(id)) {
                    ids.add(id);
                }
            }
        }
        if (known.size() > MOST_KNOWN) {
            known.clear();
        }
        Round round = new Round(result);
        if (dueNanos - facts.nanos() > 0) {
            for (Store store : stores) {
                if (store.isUp()) {
                    calls(store, ids).forEach(some -> round.ask(store, some, dueNanos));
                }
            }
        }
        round.begun();
    }

    /** What goes into one call each: records whose keys may share one. */
    private static List<List<RecordOf>> calls(Store store, Set<String> ids, String prefix) {
        Map<Object, List<RecordOf>> byShard = ids.stream()
                .map(id -> new RecordOf(id, RecordKey.of(prefix, id)))
                .collect(Collectors.groupingBy(record -> store.backend().shard(record.key.slot)));
        List<List<RecordOf>> calls = new ArrayList<>();
        for (List<RecordOf> together : byShard.values()) {
            for (int i = 0; i < together.size(); i += Scripts.MOST_FOR_EACH) {
                calls.add(together.subList(i, Math.min(together.size(), i + Scripts.MOST_FOR_EACH)));
            }
        }
        return calls;
    }

    private List<List<RecordOf>> calls(Store store, Set<String> ids) {
        return calls(store, ids, prefix);
    }

    private record RecordOf(String id, RecordKey key) {}

    /** The questions that are under way. */
    private final class Round {

        private final Pending<Boolean> result;
        private final AtomicInteger open = new AtomicInteger(1);
        private volatile boolean allAnswered = true;

        Round(Pending<Boolean> result) {
            this.result = result;
        }

        void ask(Store store, List<RecordOf> records, long dueNanos) {
            open.incrementAndGet();
            Query<Boolean> question = new Query<>(
                    facts,
                    exchanges,
                    store,
                    "",
                    Scripts.CLIENTS,
                    records.get(0).key.slot,
                    out -> {
                        records.forEach(record -> out.key(record.key.bytes));
                        FIELDS.forEach(field -> out.arg(field.getBytes(StandardCharsets.US_ASCII)));
                    },
                    reply -> read(reply, records));
            question.ask(
                    new Pending<Boolean>() {

                        @Override
                        public void onSettled() {
                            if (failure() != null) {
                                allAnswered = false;
                            }
                            begun();
                        }
                    },
                    dueNanos);
        }

        /** One less is open: a question, or the asking of them. */
        void begun() {
            if (open.decrementAndGet() == 0) {
                result.complete(allAnswered);
            }
        }

        private boolean read(Reply reply, List<RecordOf> records) {
            for (int i = 0; i < records.size(); i++) {
                String id = records.get(i).id;
                Optional<ClientInfo> found = i < reply.size() ? identity(id, reply.get(i)) : Optional.empty();
                if (found.isPresent()) {
                    known.put(id, found);
                } else {
                    known.putIfAbsent(id, found);
                }
            }
            return true;
        }
    }

    /** What a record says; nothing if it is none that a client writes. */
    private static Optional<ClientInfo> identity(String id, Reply texts) {
        if (texts.size() < FIELDS.size()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Identity(
                    id,
                    text(texts, 0),
                    text(texts, 1),
                    Long.parseLong(text(texts, 2)),
                    text(texts, 3),
                    Instant.parse(text(texts, 4))));
        } catch (NumberFormatException | DateTimeException notOurs) {
            return Optional.empty();
        }
    }

    private static String text(Reply texts, int index) {
        String text = texts.text(index);
        return text == null ? "" : text;
    }
}
