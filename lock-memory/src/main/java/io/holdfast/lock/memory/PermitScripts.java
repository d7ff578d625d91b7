package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The scripts of semaphores: each run of one is an object, which has what {@code permits.lua} keeps in variables. */
final class PermitScripts extends Line {

    private static final String LIMIT = "limit";
    private static final String VERSION = "version";
    private static final String BY = "by";
    /** The letter of a span in the queue. */
    private static final String MODE = "p";

    private static final char TIMES = '*';
    private static final long NO_END = -1;
    private static final int MOST_LET_IN = 1_000;

    private final String permits;
    private final String clock;
    private final String limit;

    /** The limit; null if none was set. */
    private @Nullable Double most;
    /** How many permits are taken. */
    private long taken;
    /** How many this run has given to calls that waited. */
    private int letIn;

    private PermitScripts(Keyspace store, Words words) {
        super(store, words);
        this.permits = words.key(0);
        this.clock = words.key(1);
        this.limit = words.key(2);
    }

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("permit-join", PermitScripts::join);
        bodies.put("permit-part", (store, words) -> new PermitScripts(store, words).part(words));
        bodies.put("permit-keep", PermitScripts::keep);
        bodies.put("permit-limit", (store, words) -> new PermitScripts(store, words).limit(words));
        bodies.put("permit-look", PermitScripts::look);
    }

    // --- the scripts ---

    static Object join(Keyspace store, Words words) {
        return new PermitScripts(store, words).join(words);
    }

    private Object join(Words words) {
        String span = words.arg(0);
        long lease = Numbers.integer(words.arg(1));
        Request request = new Request(
                MODE,
                span,
                lease,
                words.argIs(2, "1"),
                Numbers.integer(words.arg(3)),
                Numbers.integer(words.arg(4)),
                words.arg(5));

        sweep(false);
        List<String> here = fields(span).stream()
                .filter(field -> store.zscore(permits, field) != null)
                .toList();
        if (here.size() == size(span)) {
            long deadline = heldUntil(now + lease);
            liveUntil(deadline);
            double token = tokens(span);
            if (here.stream().allMatch(field -> isReservation(store.zscore(permits, field), request.window()))) {
                claim(
                        request.channel(),
                        lease,
                        request.window(),
                        () -> here.forEach(field -> store.zadd(permits, deadline, field)));
            } else {
                write(span, deadline);
            }
            stays(request);
            admit(request.channel(), request.window());
            return granted(token, false);
        }
        remove(here);
        if (most != null && !canFit(span)) {
            unqueue(request.member());
            admit(request.channel(), request.window());
            return List.of(-1L, most.longValue());
        }
        return ask(request);
    }

    private Object part(Words words) {
        String span = words.arg(0);
        sweep(true);
        boolean held = remove(fields(span));
        if (!held) {
            unqueue(MODE + span);
        }
        admit(words.arg(2), Numbers.integer(words.arg(1)));
        return held ? List.of(1L, receivers) : List.of(0L, 0L);
    }

    /** Keys of other types must not spoil the renewal of the others. */
    static Object keep(Keyspace store, Words words) {
        long now = millis(store);
        List<Object> answers = new ArrayList<>();
        for (int i = 0; i < words.keys.size(); i++) {
            String permits = words.key(i);
            String field = words.arg(2 * i);
            long deadline = heldUntil(now + Numbers.integer(words.arg(2 * i + 1)));
            Long ends = store.isSorted(permits) ? store.zscore(permits, field) : null;
            boolean kept = ends != null && ends > now;
            if (ends != null && kept && ends < deadline) {
                store.pexpireat(permits, Math.max(deadline, last(store, permits)));
                store.zadd(permits, deadline, field);
            }
            answers.add(kept ? 1L : 0L);
        }
        return answers;
    }

    private Object limit(Words words) {
        String expected = words.arg(0);
        sweep(false);
        double version = orZero(Numbers.of(store.hget(limit, VERSION)));
        if (words.arg(2).equals(store.hget(limit, BY))) {
            return changed(version);
        }
        if (Numbers.required(expected) != version) {
            return List.of(0L, most == null ? -1L : most.longValue(), (long) version);
        }
        store.hset(limit, LIMIT, words.arg(1));
        store.hset(limit, VERSION, Numbers.digits(version + 1));
        store.hset(limit, BY, words.arg(2));
        most = Numbers.of(words.arg(1));
        admit(words.arg(4), Numbers.integer(words.arg(3)));
        return changed(version + 1);
    }

    private List<@Nullable Object> changed(double version) {
        return Arrays.asList(1L, most == null ? null : most.longValue(), (long) version);
    }

    private static Object look(Keyspace store, Words words) {
        String limit = words.key(1);
        String most = store.hget(limit, LIMIT);
        double version = orZero(Numbers.of(store.hget(limit, VERSION)));
        long now = millis(store);
        long taken = store.zrange(words.key(0), Integer.MAX_VALUE).stream()
                .filter(field -> Objects.requireNonNull(store.zscore(words.key(0), field)) > now)
                .count();
        return List.of(most == null ? -1L : (long) Numbers.required(most), taken, (long) version);
    }

    private static double orZero(@Nullable Double number) {
        return number == null ? 0 : number;
    }

    // --- spans ---

    private static int size(String span) {
        int times = span.indexOf(TIMES);
        return times < 0 ? 1 : Integer.parseInt(span.substring(times + 1));
    }

    private static List<String> fields(String span) {
        int times = span.indexOf(TIMES);
        String first = times < 0 ? span : span.substring(0, times);
        String start = first.substring(0, first.lastIndexOf(':') + 1);
        long number = Long.parseLong(first.substring(start.length()));
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < size(span); i++) {
            fields.add(start + (number + i));
        }
        return fields;
    }

    // --- permits ---

    /**
     * Reads the limit and how many are taken, and drops permits whose time is over.
     *
     * @param releases whether the step releases permits: then what is in the limit's place does not matter
     */
    private void sweep(boolean releases) {
        most = releases && !store.isHash(limit) ? null : Numbers.of(store.hget(limit, LIMIT));
        store.zremrangebyscore(permits, now);
        taken = store.zcard(permits);
    }

    /** The set lives as long as the last permit. */
    private void liveUntil(long deadline) {
        if (store.zlast(permits) != null) {
            store.pexpireat(permits, Math.max(deadline, last(store, permits)));
        }
    }

    private static long last(Keyspace store, String permits) {
        String last = Objects.requireNonNull(store.zlast(permits));
        return Objects.requireNonNull(store.zscore(permits, last));
    }

    /** Whether any was there. */
    private boolean remove(List<String> fields) {
        int removed = 0;
        for (String field : fields) {
            removed += store.zrem(permits, field) ? 1 : 0;
        }
        taken -= removed;
        return removed > 0;
    }

    /** Gives each permit of a span this deadline, or leaves it one that is later. */
    private void write(String span, long deadline) {
        for (String field : fields(span)) {
            Long before = store.zscore(permits, field);
            store.zadd(permits, before == null ? deadline : Math.max(before, deadline), field);
        }
    }

    /** The token of the first permit of a span; each other one's is one more than that of the one before. */
    private double tokens(String span) {
        double first = LockScripts.mint(store, clock, null, false);
        int others = size(span) - 1;
        if (others > 0) {
            store.set(clock, Numbers.digits(first + others));
        }
        return first;
    }

    @Override
    boolean fits(String mode, String span) {
        return taken + size(span) <= orZero(most);
    }

    @Override
    boolean canFit(String span) {
        return most == null || size(span) <= most;
    }

    /** A call is let in whole, however large it is. */
    @Override
    boolean isMuch(String span) {
        return letIn > 0 && letIn + size(span) > MOST_LET_IN;
    }

    @Override
    long timeLeft() {
        String first = store.zfirst(permits);
        return first == null ? NO_END : Math.max(score(permits, first) - now, 0);
    }

    /** The permits get their tokens when they are claimed. */
    @Override
    void reserve(String mode, String span, long window) {
        letInUntil(span, reservedUntil(now + window));
    }

    private void letInUntil(String span, long deadline) {
        write(span, deadline);
        liveUntil(deadline);
        taken += size(span);
        letIn += size(span);
    }

    @Override
    double take(String mode, String span, long lease) {
        double first = tokens(span);
        letInUntil(span, heldUntil(now + lease));
        return first;
    }
}
