package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedEndTest {

    @ParameterizedTest
    @CsvSource({"3600, false, true", "3599, false, false", "1, true, true", "0, true, false"})
    void aLongLifeOrCredentialsThatAreOverExplainACut(long seconds, boolean loginMayBeOver, boolean expected) {
        assertThat(ExpectedEnd.isOne(TimeUnit.SECONDS.toNanos(seconds), loginMayBeOver))
                .isEqualTo(expected);
    }
}
