package io.holdfast.lock.engine.kind;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.testkit.RawRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs the scripts on a real server, with the arguments that the engine would send for one lock. */
final class ScriptRun {
    static final String LOCK = "holdfast:{stock}";
    static final String CLOCK = "holdfast:token:{stock}";
    static final String COUNTER = "redisson_lock_token:{stock}";
    static final String CHANNEL = "holdfast:{stock}:free";
    static final long GRANTED = 1;
    static final long REFUSED = 0;

    private final RawRedis redis;

    ScriptRun(RawRedis redis) {
        this.redis = redis;
    }

    List<Long> acquire(String field, long leaseMillis) {
        return numbers(Scripts.ACQUIRE, List.of(LOCK, CLOCK), field, leaseMillis, 1);
    }

    /** As a lock in the redisson scheme, whose hash has no place for the token. */
    List<Long> acquireWithoutToken(String field, long leaseMillis) {
        return numbers(Scripts.ACQUIRE, List.of(LOCK, CLOCK), field, leaseMillis, 0);
    }

    /** As a lock that Redisson's clients want too; the token. */
    long acquireCounting(String field, boolean begin) {
        List<Long> reply = acquireWithCounter(field, begin);
        if (reply.get(0) != GRANTED) {
            throw new AssertionError("refused: " + reply);
        }
        return reply.get(1);
    }

    /** The same, of a lock that another field has. */
    void refusedCounting(String field, boolean begin) {
        List<Long> reply = acquireWithCounter(field, begin);
        if (reply.get(0) != REFUSED) {
            throw new AssertionError("granted: " + reply);
        }
    }

    private List<Long> acquireWithCounter(String field, boolean begin) {
        return numbers(Scripts.ACQUIRE, List.of(LOCK, CLOCK, COUNTER), field, 5_000, 0, begin ? 1 : 0);
    }

    /** As a lock that Redisson's clients want too; the token. */
    long transferCounting(String from, String to, boolean begin) {
        return numbers(Scripts.TRANSFER, List.of(LOCK, CLOCK, COUNTER), from, to, 5_000, 0, begin ? 1 : 0)
                .get(1);
    }

    long reenter(String field, int count, long leaseMillis) {
        return number(Scripts.REENTER, List.of(LOCK), field, count, leaseMillis);
    }

    long adopt(String field, long token) {
        return number(Scripts.ADOPT, List.of(LOCK, CLOCK), field, token, 1);
    }

    /** As a call of a fair lock that awaits the condition of this name no more. */
    List<Long> partFromCondition(String field, String condition) {
        List<String> keys = List.of(
                LOCK,
                CLOCK,
                LOCK + ":readers",
                LOCK + ":queue",
                LOCK + ":seen",
                LOCK + ":cond:" + condition,
                "holdfast:cond-seen:{stock}");
        return numbers(Scripts.COND_PART, keys, field, 1_000, CHANNEL);
    }

    List<Long> release(String field, int count) {
        return numbers(Scripts.RELEASE, List.of(LOCK), field, count, CHANNEL);
    }

    List<Long> transfer(String from, String to, long leaseMillis) {
        return numbers(Scripts.TRANSFER, List.of(LOCK, CLOCK), from, to, leaseMillis, 1);
    }

    List<Long> transferWithoutToken(String from, String to, long leaseMillis) {
        return numbers(Scripts.TRANSFER, List.of(LOCK, CLOCK), from, to, leaseMillis, 0);
    }

    List<Long> join(String field, int count, long leaseMillis, int keepsToken, long token) {
        return numbers(Scripts.JOIN, List.of(LOCK, CLOCK), field, count, leaseMillis, keepsToken, token);
    }

    List<Long> renew(String field, long leaseMillis) {
        return renew(List.of(LOCK), field, leaseMillis);
    }

    List<Long> renew(List<String> locks, Object... fieldsAndLeases) {
        return numbers(Scripts.RENEW, locks, fieldsAndLeases);
    }

    long force() {
        return number(Scripts.FORCE, List.of(LOCK), CHANNEL);
    }

    List<?> inspect() {
        return (List<?>) run(Scripts.INSPECT, List.of(LOCK), CHANNEL);
    }

    long fencedSet(long token, String value) {
        return number(Scripts.FENCED_SET, List.of("holdfast:fenced:{price}"), token, value);
    }

    Object run(Script script, List<String> keys, Object... arguments) {
        return eval(script, keys, arguments);
    }

    long timeToLiveMillis() {
        return redis.integer("PTTL", LOCK);
    }

    /** The token that the lock keeps, as its text. */
    String keptToken() {
        return Objects.requireNonNull(redis.text("HGET", LOCK, "token"), "the lock keeps no token");
    }

    private long number(Script script, List<String> keys, Object... arguments) {
        return (Long) Objects.requireNonNull(eval(script, keys, arguments));
    }

    private List<Long> numbers(Script script, List<String> keys, Object... arguments) {
        List<?> reply = (List<?>) Objects.requireNonNull(eval(script, keys, arguments));
        return reply.stream().map(Long.class::cast).toList();
    }

    private Object eval(Script script, List<String> keys, Object... arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script.source(), Integer.toString(keys.size())));
        words.addAll(keys);
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        return redis.command(words.toArray(String[]::new));
    }
}
