package io.holdfast.lock.netty.tls;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at files, of which each may hang for as long as a disk does.
 *
 * <p>A look serves all that ask while it is under way. What has no patience left goes on without it, and from then on the
 * look is overdue: the next to ask has another look begin. Looks that hang are threads that hang, so that there are few.
 */
final class Looks {

    private static final int MOST_UNDER_WAY = 4;

    private final Runnable look;
    private final Executor threads;
    private final Runnable whenOverdue;

    // What follows is guarded by this.

    private int underWay;
    private @Nullable Look latest;

    /**
     * Looks that begin when they are asked for.
     *
     * @param look one look; several may run at a time
     * @param threads may refuse with a {@link RejectedExecutionException}; then there is no look
     * @param whenOverdue runs each time when patience was over before a look was
     */
    Looks(Runnable look, Executor threads, Runnable whenOverdue) {
        this.look = look;
        this.threads = threads;
        this.whenOverdue = whenOverdue;
    }

    /** Runs a task on the loop when a look is over, or when there is no patience left, or when there can be no look. */
    void ask(EventExecutor loop, long patienceNanos, Runnable whenDone) {
        Asker asker = new Asker(loop, whenDone);
        Look begun = null;
        synchronized (this) {
            if (latest == null || latest.overdue) {
                if (underWay == MOST_UNDER_WAY) {
                    asker.pass();
                    return;
                }
                underWay++;
                begun = new Look();
                latest = begun;
            }
            latest.askers.add(asker);
            asker.awaits(latest, patienceNanos);
        }
        if (begun != null) {
            begin(begun);
        }
    }

    private void begin(Look begun) {
        try {
            threads.execute(begun);
        } catch (RejectedExecutionException noThread) {
            end(begun);
        }
    }

    private void end(Look ended) {
        List<Asker> served;
        synchronized (this) {
            underWay--;
            if (latest == ended) {
                latest = null;
            }
            served = List.copyOf(ended.askers);
        }
        served.forEach(Asker::pass);
    }

    private synchronized void overdue(Look late) {
        late.overdue = true;
    }

    private final class Look implements Runnable {

        private final List<Asker> askers = new ArrayList<>();
        private boolean overdue;

        @Override
        public void run() {
            try {
                look.run();
            } finally {
                end(this);
            }
        }
    }

    /** What waits for a look, on its loop. */
    private final class Asker {

        private final EventExecutor loop;
        private final Runnable whenDone;
        private @Nullable ScheduledFuture<?> patience;
        private boolean served;

        Asker(EventExecutor loop, Runnable whenDone) {
            this.loop = loop;
            this.whenDone = whenDone;
        }

        void awaits(Look awaited, long patienceNanos) {
            patience = loop.schedule(() -> patienceIsOver(awaited), patienceNanos, TimeUnit.NANOSECONDS);
        }

        void pass() {
            try {
                loop.execute(this::serve);
            } catch (RejectedExecutionException closed) {
                // The client was closed during the look: no connection needs what was read any more.
                return;
            }
        }

        private void patienceIsOver(Look awaited) {
            if (!served) {
                overdue(awaited);
                whenOverdue.run();
                serve();
            }
        }

        private void serve() {
            if (!served) {
                served = true;
                if (patience != null) {
                    patience.cancel(false);
                }
                whenDone.run();
            }
        }
    }
}
