package io.holdfast.lock.tests.faults;

import io.holdfast.lock.tests.support.ExpiringTokenContract;
import java.time.Duration;

/** Tokens of a second, a few of them. */
class ExpiringTokenTest extends ExpiringTokenContract {

    ExpiringTokenTest() {
        super(Duration.ofSeconds(1), 3, Duration.ofSeconds(20));
    }
}
