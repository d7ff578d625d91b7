package io.holdfast.lock.tests.faults;

import io.holdfast.lock.tests.support.ExpiringTokenContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** Tokens of two seconds, for a minute: at least 30 of them expire. */
@Tag("proof")
class ExpiringTokenMinuteTest extends ExpiringTokenContract {

    ExpiringTokenMinuteTest() {
        super(Duration.ofSeconds(2), 58, Duration.ofSeconds(120));
    }
}
