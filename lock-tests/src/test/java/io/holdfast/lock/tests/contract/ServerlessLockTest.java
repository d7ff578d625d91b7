package io.holdfast.lock.tests.contract;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.testkit.provider.Providers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Plain locks where scripts have no clock and are forgotten at random: calls bring an estimate of the server's time along. */
@Tag("proof")
@RedisTest(mode = ServerMode.CLUSTER)
@ParameterizedClass
@EnumSource(names = {"THREAD", "ASYNC"})
class ServerlessLockTest extends ReentrantLockContract {

    ServerlessLockTest(LockCase lock) {
        super(lock);
    }

    @BeforeEach
    void open(RedisServer server) {
        begin(BehindProvider.ground(server, Providers.ELASTICACHE_SERVERLESS));
    }

    /** Not so here: a script that was forgotten is sent again. */
    @Override
    void aTryWithoutAWaitAsksTheServerExactlyOnce() {}

    @AfterEach
    void close() throws Exception {
        end();
    }
}
