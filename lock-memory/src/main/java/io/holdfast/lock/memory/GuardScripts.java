package io.holdfast.lock.memory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of the failover guard: {@code term}, and others behind the question which term the store is in. No client of a
 * store in memory has that guard, since no Sentinel vouches for one; they are there so that every script is.
 */
final class GuardScripts {

    private static final List<Object> NO_SUCH_TERM = List.of(-1L);

    private GuardScripts() {}

    static void addTo(Map<String, StoreScripts.Body> bodies) {
        bodies.put("term", GuardScripts::term);
        bodies.put("guarded-acquire", guarded(LockScripts::acquire));
        bodies.put("guarded-reenter", guarded(LockScripts::reenter));
        bodies.put("guarded-transfer", guarded(LockScripts::transfer));
        bodies.put("guarded-renew", guarded(LockScripts::renew));
        bodies.put("guarded-queue-join", guarded(QueueScripts::join));
        bodies.put("guarded-cond-await", guarded(ConditionScripts::await));
        bodies.put("guarded-keep", guarded(QueueScripts::keep));
        bodies.put("guarded-permit-join", guarded(PermitScripts::join));
        bodies.put("guarded-permit-keep", guarded(PermitScripts::keep));
    }

    static Object term(Keyspace store, Words words) {
        String term = words.key(0);
        String since = store.hget(term, "since");
        if (since == null && store.exists(term)) {
            throw Refusal.wrongType(term, store.type(term));
        }
        if (since != null && Numbers.required(since) > store.timeMicros()) {
            store.del(term);
        }
        if (!isIn(store, term, words.arg(0))) {
            store.del(term);
            store.hset(term, "id", store.runId());
            store.hset(term, "epoch", words.arg(0));
            store.hset(term, "since", Long.toString(store.timeMicros()));
        }
        return List.of(1L);
    }

    private static StoreScripts.Body guarded(StoreScripts.Body step) {
        return (store, words) -> {
            String term = words.keys.remove(0);
            boolean early = removeLast(words.arguments).equals("1");
            double pauseMillis = Numbers.required(removeLast(words.arguments));
            if (!isIn(store, term, removeLast(words.arguments))) {
                return NO_SUCH_TERM;
            }
            double passedMillis = (store.timeMicros() - Numbers.required(store.hget(term, "since"))) / 1000;
            if (passedMillis < 0) {
                return NO_SUCH_TERM;
            }
            long left = (long) Math.max(0, Math.ceil(pauseMillis - passedMillis));
            return left == 0 || early ? List.of(left, answer(step.run(store, words))) : List.of(left);
        };
    }

    private static Object answer(@Nullable Object answer) {
        return Objects.requireNonNull(answer);
    }

    private static boolean isIn(Keyspace store, String term, String epoch) {
        return store.runId().equals(store.hget(term, "id")) && epoch.equals(store.hget(term, "epoch"));
    }

    private static String removeLast(List<String> words) {
        return words.remove(words.size() - 1);
    }
}
