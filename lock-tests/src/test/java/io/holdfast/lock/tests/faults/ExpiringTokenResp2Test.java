package io.holdfast.lock.tests.faults;

import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.support.ExpiringTokenContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** Where the connection for messages is made anew for each token, and waiters look again. */
@RedisTest(options = "rename-command HELLO \"\"")
@Tag("proof")
class ExpiringTokenResp2Test extends ExpiringTokenContract {

    ExpiringTokenResp2Test() {
        super(Duration.ofSeconds(1), 3, Duration.ofSeconds(20));
    }
}
