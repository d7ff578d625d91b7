package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Everything that was seen of one row, from all processes. */
final class Journal implements Seen.Sink {

    private final List<Seen> entries = new ArrayList<>();
    private final Map<String, Seen.Asked> asked = new ConcurrentHashMap<>();
    private final AtomicInteger grants = new AtomicInteger();
    private volatile Consumer<Seen> follower = seen -> {};

    @Override
    public void see(Seen seen) {
        synchronized (entries) {
            entries.add(seen);
        }
        if (seen instanceof Seen.Asked call) {
            asked.put(call.id(), call);
        } else if (seen instanceof Seen.Answered answer && answer.outcome() == Outcome.OK) {
            Seen.Asked call = asked.get(answer.id());
            if (call != null && call.call() == Call.ACQUIRE) {
                grants.incrementAndGet();
            }
        }
        follower.accept(seen);
    }

    /** Has everything told to somebody else as well, on the thread that saw it. */
    void follow(Consumer<Seen> also) {
        follower = also;
    }

    List<Seen> entries() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }

    <S extends Seen> List<S> all(Class<S> kind) {
        return entries().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    int grants() {
        return grants.get();
    }
}
