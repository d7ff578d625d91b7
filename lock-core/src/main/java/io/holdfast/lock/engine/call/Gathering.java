package io.holdfast.lock.engine.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Many results that become one: when the last has come, or with the first failure once all have ended. */
public final class Gathering<T, R> {

    private final AtomicInteger open;
    private final List<One> all = new ArrayList<>();
    private final Function<List<T>, R> view;
    private final Pending<R> result;
    private int given;

    public Gathering(int size, Function<List<T>, R> view, Pending<R> result) {
        this.open = new AtomicInteger(size);
        this.view = view;
        this.result = result;
        for (int i = 0; i < size; i++) {
            all.add(new One());
        }
    }

    /** The next of the results that are waited for. */
    public Pending<T> one() {
        return all.get(given++);
    }

    private void oneMore() {
        if (open.decrementAndGet() > 0) {
            return;
        }
        Throwable first = null;
        List<T> values = new ArrayList<>();
        for (One one : all) {
            Throwable failure = one.failure();
            if (failure == null) {
                values.add(one.value());
            } else if (first == null) {
                first = failure;
            } else {
                first.addSuppressed(failure);
            }
        }
        if (first == null) {
            result.complete(view.apply(values));
        } else {
            result.fail(first);
        }
    }

    private final class One extends Pending<T> {
        @Override
        public void onSettled() {
            oneMore();
        }
    }
}
