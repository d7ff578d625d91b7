package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.provider.ProviderProfile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits behind the refusals of each provider that offers all kinds. */
@Tag("proof")
@RedisTest
@ParameterizedClass(name = "{0}")
@MethodSource("io.holdfast.lock.tests.contract.BehindProvider#ofAllKinds")
class ProviderPermitTest extends PermitContract {

    private final ProviderProfile profile;

    ProviderPermitTest(ProviderProfile profile) {
        this.profile = profile;
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
