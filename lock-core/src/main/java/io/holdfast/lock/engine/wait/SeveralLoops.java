package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Waiter;
import io.holdfast.lock.engine.hold.Waiters;
import io.holdfast.lock.engine.kind.LockKind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ways in which calls want one lock: by the server's queue, as it comes, and one for each condition that is awaited. */
record SeveralLoops(List<AcquisitionLoop> loops) implements Waiters {

    /** One loop more, before all others or behind them. */
    static SeveralLoops of(AcquisitionLoop loop, boolean isFirst, Waiters others) {
        Stream<AcquisitionLoop> known = in(others).stream();
        return new SeveralLoops(
                (isFirst ? Stream.concat(Stream.of(loop), known) : Stream.concat(known, Stream.of(loop))).toList());
    }

    static List<AcquisitionLoop> in(Waiters wanting) {
        return wanting instanceof SeveralLoops several ? several.loops : List.of((AcquisitionLoop) wanting);
    }

    @Override
    public @Nullable Waiters inOrderOf(LockKind kind) {
        for (AcquisitionLoop loop : loops) {
            if (loop.isFor(kind)) {
                return loop;
            }
        }
        return null;
    }

    @Override
    public int waiters() {
        return loops.stream().mapToInt(Waiters::waiters).sum();
    }

    @Override
    public List<Waiter> all() {
        return loops.stream().flatMap(loop -> loop.all().stream()).toList();
    }

    @Override
    public void holdReleased() {
        loops.forEach(Waiters::holdReleased);
    }

    @Override
    public void holdEnded() {
        loops.forEach(Waiters::holdEnded);
    }

    @Override
    public void stepEnded() {
        loops.forEach(Waiters::stepEnded);
    }

    @Override
    public void close() {
        loops.forEach(Waiters::close);
    }

    @Override
    public @Nullable Waiters withoutIdle() {
        List<AcquisitionLoop> busy =
                loops.stream().filter(loop -> loop.withoutIdle() != null).toList();
        if (busy.size() == loops.size()) {
            return this;
        }
        return busy.isEmpty() ? null : busy.size() == 1 ? busy.get(0) : new SeveralLoops(busy);
    }
}
