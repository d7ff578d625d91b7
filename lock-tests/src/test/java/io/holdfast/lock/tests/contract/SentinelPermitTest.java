package io.holdfast.lock.tests.contract;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.ServerGround;
import io.holdfast.lock.tests.support.SharedSentinelGroup;
import io.holdfast.lock.tests.support.Site;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where Sentinels say which server has the permits. */
@ExtendWith(SharedSentinelGroup.class)
@Tag("proof")
class SentinelPermitTest extends PermitContract {

    @BeforeEach
    void open(SentinelGroup group) {
        begin(new ServerGround(List.of(group.primary()), options -> Site.of(LockClient.connect(group.url(), options))));
    }

    @AfterEach
    void close() throws Exception {
        end();
    }
}
