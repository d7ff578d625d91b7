package io.holdfast.lock.tests.redisson;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A client of ours on Redisson's keys, and one of Redisson's beside it. */
abstract class SideBySide extends ServerTest {

    static final LockOptions SHARED =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();

    final ExecutorService background = Executors.newCachedThreadPool();
    LockClient client;
    RedissonClient redisson;

    @BeforeEach
    void connectBoth() {
        client = connectShared();
        redisson = connectRedisson(redis);
    }

    @AfterEach
    void closeRedisson() {
        background.shutdownNow();
        redisson.shutdown();
    }

    final LockClient connectShared() {
        return connect(ClientOptions.builder().lockOptions(SHARED).build());
    }

    static RedissonClient connectRedisson(RedisServer server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.url()).setConnectionMinimumIdleSize(4);
        return Redisson.create(config);
    }
}
