package io.holdfast.lock.rules.bad;

import java.time.Instant;

class PublishedThatSleeps {
    void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    Instant wallClock() {
        return Instant.now();
    }
}
