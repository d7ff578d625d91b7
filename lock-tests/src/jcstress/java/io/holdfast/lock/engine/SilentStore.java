package io.holdfast.lock.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.HoldView;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerRun;
import java.util.List;

/** An {@link InstantStore} that answers nothing, and holds that it has granted. */
final class SilentStore extends InstantStore {

    static final long TOKEN = 42;

    private static final LockKeys NAMES = LockKeys.of("stock", LockOptions.defaults());

    /** A hold that was granted and handed out, of a lock that nobody else wants. */
    static Hold grantedHold() {
        Engine engine = new Engine(List.of(new SilentStore()), true, ClientOptions.defaults(), null, "c");
        Store store = engine.facts().stores().get(0);
        HoldLeases leases = StoreLease.granted(store, ServerRun.UNKNOWN, 0, 30_000);
        Hold hold = new Hold(
                engine.cells().cell(NAMES),
                new Terms(Reentrant.KIND, LockOptions.defaults()),
                new Owner(1, true),
                new byte[0],
                TOKEN,
                leases,
                30_000,
                true,
                null,
                null,
                0);
        hold.markDelivered(true);
        return hold;
    }

    /** The hold as its user sees it. Nothing is done with it, so that it needs no operations. */
    @SuppressWarnings("NullAway")
    static HoldView handle(Hold hold) {
        return new HoldView(hold, null);
    }

    @Override
    public void send(ScriptCall call) {
        call.beginWriting();
    }
}
