package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.tests.support.Ground;
import io.holdfast.lock.tests.support.LockForm;
import io.holdfast.lock.tests.support.Site;
import java.util.List;
import java.util.Map;

/** What a lock must do whose waiters stand in a queue at the server. Party {@code a} takes it so, the others plainly. */
abstract class QueuedLockContract extends ReentrantLockContract {

    private final LockKind lockKind;

    QueuedLockContract(LockForm form, LockKind lockKind) {
        super(form, KeyScheme.HOLDFAST);
        this.lockKind = lockKind;
    }

    @Override
    final RLock lock(Site of, String name, LockOptions options) {
        return of.lock(name, options, lockKind);
    }

    /** The levels of a reader are known to its client only. */
    @Override
    final void assertHeld(int count) {
        boolean isRead = a.holds() && !lockKind.isCounted();
        if (isRead) {
            for (Ground.Node each : ground.nodes()) {
                assertThat(each.hash(key())).isEqualTo(Map.of("readers", "1"));
            }
        } else {
            super.assertHeld(count);
        }
    }

    @Override
    final List<String> keys() {
        return List.of(key(), key() + ":readers");
    }
}
