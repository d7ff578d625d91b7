package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.multi.MultiHold;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Fault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which calls wait for an answer only, and which for others: a thread may spin for the one, not for the other. */
class MadeToWaitTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockKeys names = LockKeys.of("stock", LockOptions.defaults());

    private static final class Call<T> extends Pending<T> {

        private boolean madeToWait;

        @Override
        public void onSettled() {}

        @Override
        public void onMadeToWait() {
            madeToWait = true;
        }
    }

    @Test
    void whoAsksWaitsForTheAnswerUntilThatIsARefusal() {
        Call<?> first = call(1);
        assertThat(first.madeToWait).isFalse();

        backend.next("acquire").refused(5_000);
        assertThat(first.madeToWait).isTrue();
    }

    @Test
    void whoIsGrantedTheLockAtOnceWasNeverMadeToWait() {
        Call<?> first = call(1);
        backend.next("acquire").granted(7);
        assertThat(first.madeToWait).isFalse();
    }

    @Test
    void whoStandsBehindSomebodyWaitsForThem() {
        call(1);
        assertThat(call(2).madeToWait).isTrue();
    }

    @Test
    void whoFindsAHoldOfTheSameClientWaitsForItsEnd() {
        call(1);
        backend.next("acquire").granted(7);
        assertThat(call(2).madeToWait).isTrue();
    }

    @Test
    void whoMetAPassingFaultWaitsUntilItHasPassed() {
        Call<?> first = call(1);
        backend.next("acquire").fault(Fault.Kind.LOADING, false);
        assertThat(first.madeToWait).isTrue();
    }

    @Test
    void whoWantsSeveralLocksWaitsForWhoeverHasOneOfThem() {
        EngineLock member = new EngineLock(engine, new Terms(Reentrant.KIND, LockOptions.defaults()), names);
        MultiLocks.Composed both = (MultiLocks.Composed) MultiLocks.of(List.of(member));
        Call<Optional<MultiHold>> all = new Call<>();
        both.begin(Owner.thread(1), LeaseTerm.unnamed(LockOptions.defaults()), Ticket.NEVER, null, all);
        assertThat(all.madeToWait).isFalse();

        backend.next("acquire").refused(5_000);
        assertThat(all.madeToWait).isTrue();
    }

    private Call<?> call(long threadId) {
        Call<Optional<Hold>> call = new Call<>();
        engine.operations()
                .calls()
                .acquire(new Ticket(
                        names,
                        new Terms(Reentrant.KIND, LockOptions.defaults()),
                        Owner.thread(threadId),
                        LeaseTerm.unnamed(LockOptions.defaults()),
                        Ticket.NEVER,
                        null,
                        engine.facts().nanos(),
                        call));
        return call;
    }
}
