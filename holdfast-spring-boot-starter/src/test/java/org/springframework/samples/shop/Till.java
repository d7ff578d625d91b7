package org.springframework.samples.shop;

import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.Locked;

/** Of an application that lives where the framework's samples do. */
public class Till {

    /** Throws if it runs without the lock. */
    @Locked("till")
    public boolean isLocked() {
        LockAssert.assertLocked("till");
        return true;
    }
}
