package io.holdfast.lock.engine.hold;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The thread that took a lock by a blocking call. When it has died, the hold is not renewed any more. */
public final class TakingThread extends WeakReference<Thread> {

    /** Cache of threads that took locks lately. A collision costs one allocation. */
    private static final AtomicReferenceArray<@Nullable TakingThread> RECENT = new AtomicReferenceArray<>(64);

    private final String name;

    private TakingThread(Thread thread) {
        super(thread);
        this.name = thread.getName();
    }

    /** The thread under its present name. */
    static TakingThread of(Thread thread) {
        int place = (int) thread.getId() & (RECENT.length() - 1);
        TakingThread known = RECENT.get(place);
        if (known == null || !known.refersTo(thread) || !known.name.equals(thread.getName())) {
            known = new TakingThread(thread);
            RECENT.set(place, known);
        }
        return known;
    }

    /** Its name if it lives; null if it has died. */
    @Nullable
    public String nameIfAlive() {
        return nameIfDead() == null ? name : null;
    }

    /** Its name if it has died; null if it lives. */
    @Nullable
    public String nameIfDead() {
        Thread thread = get();
        return thread == null || !thread.isAlive() ? name : null;
    }
}
