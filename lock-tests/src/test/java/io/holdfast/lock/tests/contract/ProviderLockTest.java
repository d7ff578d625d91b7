package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks of each kind behind the refusals of each provider that offers them all. */
@Tag("proof")
@RedisTest
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("cases")
class ProviderLockTest extends ReentrantLockContract {

    private final ProviderProfile profile;

    ProviderLockTest(ProviderProfile profile, LockCase lock) {
        super(lock);
        this.profile = profile;
    }

    static Stream<Arguments> cases() {
        return BehindProvider.ofAllKinds().flatMap(profile -> Stream.of(
                        LockCase.THREAD, LockCase.THREAD_FAIR, LockCase.THREAD_READ, LockCase.THREAD_WRITE)
                .map(lock -> Arguments.of(profile, lock)));
    }

    @BeforeEach
    void open(RedisServer server) {
        begin(BehindProvider.ground(server, profile));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
