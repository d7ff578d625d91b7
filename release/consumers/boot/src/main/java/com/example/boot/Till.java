package com.example.boot;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.Locked;
import org.springframework.stereotype.Component;

/** Sells under a lock. */
@Component
public class Till {

    /** Says the token of the lock that it runs under. */
    @Locked("stock:#{#item}")
    public String sell(String item, LockHold hold) {
        LockAssert.assertLocked("stock:" + item);
        return "locked with token " + hold.fencingToken();
    }
}
