package io.holdfast.lock.memory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The scripts of locks whose clients take turns: as those of plain locks, and beside them what word clients have left. */
final class TurnScripts {

    private static final String RESERVED = "reserved";
    /** Behind the id of a client that may take long to come when it is called, once for each step of its distance. */
    private static final char FAR = '*';

    private static final int FARTHEST = 6;
    /** How many words a release looks at for the next client. */
    private static final int MOST_LOOKED_AT = 32;

    private static final long WORD_LASTS_MILLIS = 12_000;
    private static final long GRACE_MILLIS = 10;
    private static final double MILLI = 1_000;
    /** A reservation that ends later was made by a clock that was ahead, and has ended. */
    private static final long LONGEST_LEFT_MILLIS = 10_000;

    private static final int MOST_FIELDS = 3;
    /** Which argument of an acquire says how many tokens are put by, if any. */
    private static final int TOKENS = 5;
    /** In how long a client that is far looks at first. */
    private static final long LOOK_MILLIS = 40;

    /** So far may tokens that are put by run ahead of the time. */
    private static final double FARTHEST_MICROS = 1_000_000;

    private TurnScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("turn-acquire", TurnScripts::acquire);
        bodies.put("turn-release", TurnScripts::release);
        bodies.put("turn-transfer", TurnScripts::transfer);
        bodies.put("turn-give-up", TurnScripts::giveUp);
        bodies.put("turn-propose", TurnScripts::propose);
    }

    // --- the scripts ---

    private static Object acquire(Keyspace store, Words words) {
        String lock = words.key(0);
        String field = words.arg(0);
        Turns turns = new Turns(store, words.key(2));
        if (store.exists(lock)) {
            if (store.hexists(lock, field)) {
                LockScripts.raise(store, lock, words.arg(1));
                return granted(store, words, LockScripts.tokenOf(store, lock, words.key(1), null, false), 1);
            }
            String named = turns.first();
            if (turns.reservedMillis() == 0 && named != null && !Turns.isOf(Line.client(field), named)) {
                turns.remove(named);
            }
            turns.remove(RESERVED);
            return refuse(turns, words, store.pttl(lock));
        }
        boolean wanted = store.exists(turns.key);
        String client = Line.client(field);
        String first = wanted ? turns.first() : null;
        long reserved = wanted ? turns.reservedMillis() : Turns.NONE;
        if (reserved > 0 && first != null && !Turns.isOf(client, first)) {
            return refuse(turns, words, reserved);
        }
        double token = LockScripts.mint(store, words.key(1), null, false);
        LockScripts.enter(store, lock, field, token, words.argIs(2, "1"));
        store.pexpire(lock, Numbers.integer(words.arg(1)));
        if (wanted) {
            turns.takeBack(client);
            if (reserved == 0 && first != null) {
                turns.remove(first);
            }
            turns.remove(RESERVED);
        }
        boolean hasTokens = words.arguments.size() > TOKENS;
        long tokens = hasTokens ? putBy(store, words.key(1), token, Numbers.integer(words.arg(TOKENS))) : 1;
        return granted(store, words, token, tokens);
    }

    private static Object granted(Keyspace store, Words words, @Nullable Double token, long tokens) {
        if (words.arguments.size() <= TOKENS) {
            return LockScripts.granted(token);
        }
        long others = others(store, words, words.arg(0));
        return token == null ? List.of(1L) : List.of(1L, token.longValue(), tokens, others);
    }

    /** Puts so many tokens by; how many there are. */
    private static long putBy(Keyspace store, String clock, double token, long tokens) {
        if (tokens == 1 || token - store.timeMicros() > FARTHEST_MICROS) {
            return 1;
        }
        store.set(clock, Numbers.digits(token + tokens - 1));
        return tokens;
    }

    private static Object refuse(Turns turns, Words words, long millis) {
        String client = Line.client(words.arg(0));
        if (words.argIs(3, "0") || isOf(client, turns.store, words.key(0))) {
            return List.of(0L, millis);
        }
        String far = far(words.arg(3));
        return List.of(0L, turns.look(millis, far.length(), turns.leave(client, far, words.arg(4))));
    }

    private static String far(String argument) {
        return argument.equals("1") ? "" : argument;
    }

    /** Whether an owner of the client has the lock. */
    private static boolean isOf(String client, Keyspace store, String lock) {
        return store.hlen(lock) <= MOST_FIELDS
                && store.hkeys(lock).stream()
                        .anyMatch(holder -> Line.client(holder).equals(client));
    }

    private static Object release(Keyspace store, Words words) {
        String lock = words.key(0);
        String field = words.arg(0);
        String channel = words.arg(2);
        if (!store.hexists(lock, field)) {
            return List.of(0L, 0L);
        }
        if (store.hexists(lock, QueueScripts.READERS)) {
            store.hdel(lock, field);
            store.hdel(lock, LockScripts.TOKEN);
            return List.of(1L, store.publish(channel, LockScripts.RELEASED));
        }
        store.del(lock);
        Turns turns = new Turns(store, words.key(1));
        boolean givesWay = words.arg(3).startsWith("2");
        String client = Line.client(field);
        String word = client + words.arg(3).replaceFirst("\\d", "");
        if (givesWay) {
            turns.staysBehind(word);
        } else {
            turns.takeBack(client);
        }
        String next = turns.reserve(store.exists(words.key(2)));
        if (next == null) {
            return List.of(1L, store.publish(channel, LockScripts.RELEASED));
        }
        if (!givesWay && !words.argIs(3, "0")) {
            store.zadd(turns.key, store.timeMicros(), word);
            store.pexpire(turns.key, WORD_LASTS_MILLIS);
        }
        return List.of(2L, store.publish(channel, "next " + next));
    }

    private static Object giveUp(Keyspace store, Words words) {
        Turns turns = new Turns(store, words.key(1));
        String client = Line.client(words.arg(0));
        String first = turns.first();
        boolean isReservedForIt = turns.reservedMillis() != Turns.NONE && first != null && Turns.isOf(client, first);
        turns.takeBack(client);
        if (isReservedForIt) {
            turns.remove(RESERVED);
            if (!store.exists(words.key(0))) {
                String next = turns.reserve(store.exists(words.key(2)));
                store.publish(words.arg(1), next == null ? LockScripts.RELEASED : "next " + next);
            }
        }
        return 1L;
    }

    private static Object transfer(Keyspace store, Words words) {
        String lock = words.key(0);
        String old = words.arg(0);
        String field = words.arg(1);
        if (store.hexists(lock, old)) {
            store.pexpire(lock, Numbers.integer(words.arg(2)));
            double token = LockScripts.mint(store, words.key(1), null, false);
            LockScripts.enter(store, lock, field, token, words.argIs(3, "1"));
            store.hdel(lock, old);
            long tokens = putBy(store, words.key(1), token, Numbers.integer(words.arg(4)));
            return List.of(1L, (long) token, tokens, others(store, words, field));
        }
        if (store.hexists(lock, field)) {
            LockScripts.raise(store, lock, words.arg(2));
            Double token = LockScripts.tokenOf(store, lock, words.key(1), null, false);
            long others = others(store, words, field);
            return token == null ? List.of(1L) : List.of(1L, token.longValue(), 1L, others);
        }
        return List.of(0L, 0L);
    }

    private static Object propose(Keyspace store, Words words) {
        String lock = words.key(0);
        String client = Line.client(words.arg(0));
        Turns turns = new Turns(store, words.key(2));
        String first = turns.first();
        long reserved = turns.reservedMillis();
        boolean isForOther = first != null && !Turns.isOf(client, first);
        boolean isFree = !store.exists(lock);
        if (isFree && reserved > 0 && first != null && isForOther) {
            long look = keepWord(turns, words, client, first, reserved);
            return List.of(0L, look, store.timeMicros(), Turns.client(first) + ":next");
        }
        boolean isRepeated = !isFree && store.hexists(lock, words.arg(0));
        List<?> reply = (List<?>) QuorumScripts.propose(store, words);
        if (!isRepeated) {
            if (reserved == 0 && first != null && isForOther) {
                turns.remove(first);
            }
            turns.remove(RESERVED);
        }
        if (isFree || isRepeated) {
            return reply;
        }
        long look = keepWord(turns, words, client, null, (Long) reply.get(1));
        return List.of(0L, look, reply.get(2), reply.get(3));
    }

    /**
     * Leaves word of a call that is refused.
     *
     * @param behind what is reserved already; null if nothing is
     * @param millis in how long the call is to look otherwise
     * @return in how long it is to look
     */
    private static long keepWord(Turns turns, Words words, String client, @Nullable String behind, long millis) {
        long since = Numbers.integer(words.arg(5));
        if (since < 0) {
            return millis;
        }
        long own = since == 0 ? turns.store.timeMicros() : since;
        Long reserved = behind == null ? null : turns.score(behind);
        long score = reserved == null ? own : Math.max(own, reserved + 1);
        String far = far(words.arg(6));
        turns.tell(client, far, score);
        return turns.look(millis, far.length(), score);
    }

    private static long others(Keyspace store, Words words, String field) {
        Turns turns = new Turns(store, words.key(2));
        if (store.exists(words.key(3))) {
            return 2;
        }
        if (!store.exists(turns.key)) {
            return 0;
        }
        turns.takeBack(Line.client(field));
        turns.remove(RESERVED);
        return turns.next() == null ? 0 : 1;
    }

    // --- what they share ---

    /** The word that clients have left; where it is kept there may be something else, and then there is none. */
    private record Turns(Keyspace store, String key) {

        static final long NONE = -1;

        static boolean isOf(String client, String word) {
            return client.equals(client(word));
        }

        static String client(String word) {
            int end = word.length();
            while (end > 0 && word.charAt(end - 1) == FAR) {
                end--;
            }
            return word.substring(0, end);
        }

        private static int distance(String word) {
            return Math.min(word.length() - client(word).length(), FARTHEST);
        }

        private static long graceMillis(int distance) {
            return distance == 0 ? GRACE_MILLIS : 40 + (10L << distance);
        }

        /** For how long word is passed over. */
        private static long passedMillis(int distance) {
            return distance == 0 ? 0 : 16L << distance;
        }

        private static List<String> wordsOf(String client) {
            return IntStream.rangeClosed(0, FARTHEST)
                    .mapToObj(steps -> client + String.valueOf(FAR).repeat(steps))
                    .toList();
        }

        private boolean isUsable() {
            return store.isSorted(key) || !store.exists(key);
        }

        private @Nullable Long score(String member) {
            return store.isSorted(key) ? store.zscore(key, member) : null;
        }

        /** The score of a member that is there. */
        private long scoreOf(String member) {
            return Objects.requireNonNull(store.zscore(key, member), member);
        }

        void remove(String member) {
            if (store.isSorted(key)) {
                store.zrem(key, member);
            }
        }

        void takeBack(String client) {
            wordsOf(client).forEach(this::remove);
        }

        private @Nullable String wordOf(String client) {
            return wordsOf(client).stream()
                    .filter(word -> score(word) != null)
                    .findFirst()
                    .orElse(null);
        }

        private List<String> words(int most) {
            return store.isSorted(key) ? store.zrange(key, most) : List.of();
        }

        /** The client that left word first. */
        @Nullable
        String first() {
            return words(2).stream()
                    .filter(word -> !word.equals(RESERVED))
                    .findFirst()
                    .orElse(null);
        }

        /** The word of the client whose turn is next. */
        @Nullable
        String next() {
            return words(MOST_LOOKED_AT).stream()
                    .filter(word -> !word.equals(RESERVED) && isDue(word))
                    .findFirst()
                    .orElse(null);
        }

        private boolean isDue(String word) {
            long micros = store.timeMicros() - scoreOf(word);
            return micros < 0 || micros >= passedMillis(distance(word)) * MILLI;
        }

        /** In how long a refused call is to look. */
        long look(long millis, int distance, @Nullable Long since) {
            boolean looksOften = distance > 0
                    && since != null
                    && store.timeMicros() - since < (100 + 2 * passedMillis(Math.min(distance, FARTHEST))) * MILLI;
            return !looksOften ? millis : millis < 0 ? LOOK_MILLIS : Math.min(millis, LOOK_MILLIS);
        }

        /** In how many ms the reservation ends; {@link #NONE} if there is none. */
        long reservedMillis() {
            Long until = score(RESERVED);
            if (until == null) {
                return NONE;
            }
            long left = (long) Math.max(0, Math.ceil(-until - store.timeMicros() / MILLI));
            return left <= LONGEST_LEFT_MILLIS ? left : 0;
        }

        /** Leaves word, unless it is there; since when it is there, null if it is not. */
        @Nullable
        Long leave(String client, String far, String channel) {
            if (!isUsable()) {
                return null;
            }
            String as = client + far;
            String before = score(as) == null ? wordOf(client) : as;
            Long since = before == null ? Long.valueOf(store.timeMicros()) : score(before);
            if (before == null && far.isEmpty()) {
                store.publish(channel, "wanted");
            }
            if (since != null && !as.equals(before)) {
                store.zadd(key, since, as);
                remove(before == null ? "" : before);
            }
            store.pexpire(key, WORD_LASTS_MILLIS);
            return since;
        }

        /** Leaves word of a client whose call waits since then, in the place of any that it left before. */
        void tell(String client, String far, long since) {
            if (isUsable()) {
                takeBack(client);
                store.zadd(key, since, client + far);
                store.pexpire(key, WORD_LASTS_MILLIS);
            }
        }

        /** A client that gives way keeps its place, or has the last one. */
        void staysBehind(String word) {
            if (isUsable() && wordOf(client(word)) == null) {
                store.zadd(key, store.timeMicros(), word);
                store.pexpire(key, WORD_LASTS_MILLIS);
            }
        }

        /** Reserves the lock for the client whose turn is next; null if there is none, or the name's queue goes before it. */
        @Nullable
        String reserve(boolean hasQueue) {
            String word = next();
            if (word == null || hasQueue) {
                return null;
            }
            if (!word.equals(words(1).get(0))) {
                remove(RESERVED);
                store.zadd(key, scoreOf(words(1).get(0)) - 1, word);
            }
            store.zadd(key, -(Line.millis(store) + graceMillis(distance(word))), RESERVED);
            return client(word);
        }
    }
}
