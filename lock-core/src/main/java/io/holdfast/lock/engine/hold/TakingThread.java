package io.holdfast.lock.engine.hold;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** The thread that took a lock by a blocking call. When it has died, the hold is not renewed any more. */
public final class TakingThread extends WeakReference<Thread> {

    private final String name;

    TakingThread(Thread thread) {
        super(thread);
        this.name = thread.getName();
    }

    /** Its name if it lives; null if it has died. */
    @Nullable
    public String nameIfAlive() {
        return nameIfDead() == null ? name : null;
    }

    /** Its name if it has died; null if it lives. */
    @Nullable
    String nameIfDead() {
        Thread thread = get();
        return thread == null || !thread.isAlive() ? name : null;
    }
}
