package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.hold.Loss;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.spi.Fault;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From faults to exceptions. */
class FailuresTest {

    private static final Named STOCK = new Named("lock", "stock");

    @ParameterizedTest
    @EnumSource
    void everyFaultHasAReason(Fault.Kind kind) {
        String expected = kind == Fault.Kind.CLOSED ? "CLIENT_CLOSED" : kind.name();

        assertThat(Failures.reason(fault(kind, false)).name()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultWithoutEffectIsUnavailabilityOrAnErrorOrTheEnd(Fault.Kind kind) {
        Class<?> expected = kind == Fault.Kind.CLOSED
                ? LockClientClosedException.class
                : kind.isTransient() ? LockUnavailableException.class : LockServerException.class;

        assertThat(Failures.of("stock", "c:17", fault(kind, false))).isExactlyInstanceOf(expected);
        assertThat(Failures.ofQuestion("stock", "c:17", fault(kind, true))).isExactlyInstanceOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultThatMayHaveTakenEffectIsAnUnknownOutcome(Fault.Kind kind) {
        assertThat(Failures.of("stock", "c:17", fault(kind, true)))
                .isExactlyInstanceOf(LockOutcomeUnknownException.class)
                .hasMessageContaining("outcome unknown");
    }

    @ParameterizedTest
    @EnumSource
    void theMessageNamesLockOwnerNodeReasonAndDetail(Fault.Kind kind) {
        for (boolean maybeApplied : new boolean[] {false, true}) {
            Fault fault = fault(kind, maybeApplied);

            LockException failure = Failures.of("stock", "c:17", fault);

            assertThat(failure)
                    .hasMessageContainingAll(
                            "lock 'stock'", "owner c:17", "redis:6379", Failures.reason(fault) + ": in its own words");
            assertThat(failure)
                    .extracting(LockException::name, LockException::owner, LockException::node, LockException::reason)
                    .containsExactly(
                            Optional.of("stock"),
                            Optional.of("c:17"),
                            Optional.of("redis:6379"),
                            Failures.reason(fault));
        }
    }

    @Test
    void whoHasNoOwnerIsNotNamed() {
        assertThat(Failures.closed("stock", "", "redis:6379"))
                .isExactlyInstanceOf(LockClientClosedException.class)
                .hasMessage("lock 'stock', redis:6379: the client is closed")
                .satisfies(closed -> assertThat(closed.owner()).isEmpty());
    }

    @Test
    void aLossNamesTheTokenToo() {
        LockLostException lost =
                Failures.lost(new Loss("stock", "c:17", 33, "redis:6379", LossReason.KEY_GONE, "it vanished", 0));

        assertThat(lost)
                .hasMessage("lock 'stock', owner c:17, redis:6379: the hold with token 33 was lost: KEY_GONE: it"
                        + " vanished");
        assertThat(lost.lossReason()).isEqualTo(LossReason.KEY_GONE);
        assertThat(lost.reason()).isEqualTo(FailureReason.HOLD_LOST);
    }

    @Test
    void aWrongReleaseNamesWhoHoldsTheLockInstead() {
        Owner owner = Owner.thread(17);

        LockNotHeldException nobody = Failures.notHeld(STOCK, "c:17", owner, "redis:6379", null);
        LockNotHeldException other = Failures.notHeld(STOCK, "c:17", owner, "redis:6379", new Owner(4, true));

        assertThat(nobody)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessage("lock 'stock', owner c:17, redis:6379: not held by thread 17 of this client");
        assertThat(other).hasMessageContainingAll("acquired by handle 4", "released from thread 17");
        assertThat(other.reason()).isEqualTo(FailureReason.NOT_HELD);
    }

    private static Fault fault(Fault.Kind kind, boolean maybeApplied) {
        return new Fault(kind, maybeApplied, "redis:6379", "in its own words");
    }
}
