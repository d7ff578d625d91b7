package io.holdfast.lock.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Locked methods. {@code lock-spring} reads these properties itself; here they are known, and have their metadata. */
class LockedProperties {

    /** How long a method with Locked waits for its lock, where the annotation does not say it. */
    private @Nullable Duration wait;

    public @Nullable Duration getWait() {
        return wait;
    }

    public void setWait(@Nullable Duration wait) {
        this.wait = wait;
    }
}
