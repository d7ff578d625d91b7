package io.holdfast.lock.engine.inspect;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Scripts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Looks at many locks of a store: at those together whose keys may share a call, a few calls at a time so that those of others find
 * room between them.
 */
final class Looks implements Question<List<LockSnapshot>> {

    private static final int MOST_AT_ONCE = 8;

    private final List<LockKeys> locks;
    private final List<List<LockKeys>> calls = new ArrayList<>();
    private final Function<List<LockKeys>, Query<List<LockSnapshot>>> question;

    private final Map<LockKeys, LockSnapshot> seen = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger lanes = new AtomicInteger();

    /** @param shard what is equal for slots whose keys may share a call */
    Looks(
            List<LockKeys> locks,
            IntFunction<Object> shard,
            Function<List<LockKeys>, Query<List<LockSnapshot>>> question) {
        this.locks = locks;
        this.question = question;
        Map<Object, List<LockKeys>> shards = new LinkedHashMap<>();
        locks.forEach(lock -> shards.computeIfAbsent(shard.apply(lock.slot), each -> new ArrayList<>())
                .add(lock));
        shards.values().forEach(this::split);
    }

    private void split(List<LockKeys> together) {
        for (int i = 0; i < together.size(); i += Scripts.MOST_FOR_EACH) {
            calls.add(together.subList(i, Math.min(together.size(), i + Scripts.MOST_FOR_EACH)));
        }
    }

    @Override
    public <P extends Pending<List<LockSnapshot>>> P ask(P result) {
        int together = Math.min(MOST_AT_ONCE, calls.size());
        lanes.set(together + 1);
        for (int i = 0; i < together; i++) {
            next(result);
        }
        laneEnds(result);
        return result;
    }

    private void next(Pending<List<LockSnapshot>> result) {
        int call = begun.getAndIncrement();
        if (call >= calls.size() || result.isSettled()) {
            laneEnds(result);
            return;
        }
        List<LockKeys> asked = calls.get(call);
        question.apply(asked).ask(new Pending<List<LockSnapshot>>() {

            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure == null) {
                    remember(asked, value());
                } else {
                    result.fail(failure);
                }
                next(result);
            }
        });
    }

    private void remember(List<LockKeys> asked, Collection<LockSnapshot> answers) {
        int i = 0;
        for (LockSnapshot answer : answers) {
            seen.put(asked.get(i++), answer);
        }
    }

    private void laneEnds(Pending<List<LockSnapshot>> result) {
        if (lanes.decrementAndGet() == 0 && !result.isSettled()) {
            result.complete(locks.stream().map(seen::get).toList());
        }
    }
}
