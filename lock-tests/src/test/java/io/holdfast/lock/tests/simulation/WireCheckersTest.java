package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** What clients ask of servers shows {@link RenewalChecker} and {@link RoundChecker} what they are there for, and only that. */
@Tag("proof")
class WireCheckersTest extends CheckedWorld {

    private static final long MILLI = 1_000_000;
    private static final long LEASE_MILLIS = 3_000;
    private static final String HANDLE = "c0:h1:1";
    private static final Fault CUT = new Fault(Fault.Kind.DISCONNECTED, true, "node-a", "cut");

    private final RenewalChecker renewals = client.backends.get(0).commands.judges.renewals;
    private final RoundChecker rounds = client.rounds;

    WireCheckersTest() {
        super(ClientOptions.builder()
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(LEASE_MILLIS))
                        .build())
                .build());
        // Its own connection is up by then, and does not interfere.
        passMillis(300);
    }

    private void passMillis(long millis) {
        pass(millis * MILLI);
    }

    private Request send(String script, String... arguments) {
        Request request = Request.of(new Asked(script, arguments));
        request.sentNanos = client.nanos();
        renewals.sent(request);
        rounds.sent(0, request);
        return request;
    }

    private void answer(Request request, int... numbers) {
        LuaTable list = new LuaTable();
        for (int i = 0; i < numbers.length; i++) {
            list.set(i + 1, LuaValue.valueOf(numbers[i]));
        }
        ScriptReply reply = new ScriptReply(list);
        renewals.answered(request, reply);
        rounds.answered(0, request, reply);
    }

    private void acquire() {
        answer(send("acquire", HANDLE, Long.toString(LEASE_MILLIS)), 1, 7);
    }

    private Request renew() {
        return send("renew", HANDLE, Long.toString(LEASE_MILLIS));
    }

    private @Nullable String complaint() {
        Violation violation = world.violation();
        return violation == null ? null : violation.checker + ": " + violation.getMessage();
    }

    @Test
    void aFailedRenewalThatIsRepeatedLateIsFound() {
        acquire();
        renewals.failed(renew());
        passMillis(60);
        renewals.failed(renew());
        passMillis(100);
        answer(renew(), 1);
        passMillis(1_000);
        renewals.failed(renew());
        assertThat(complaint()).isNull();
        passMillis(100);
        renew();
        assertThat(complaint()).startsWith("LV: ").contains("repeats the renewal of " + HANDLE);
    }

    @Test
    void aRenewalThatHadToWaitForAnotherIsNot() {
        acquire();
        renewals.failed(renew());
        Request another = send("renew", "c0:h2:2", Long.toString(LEASE_MILLIS));
        passMillis(500);
        answer(another, 1);
        renew();
        assertThat(complaint()).isNull();
    }

    @Test
    void aHoldThatNobodyAsksAfterWhenTheConnectionIsBackIsFound() {
        acquire();
        renewals.down();
        renewals.up();
        answer(send("renew", HANDLE, "1"), 1);
        passMillis(100);
        renewals.look();
        assertThat(complaint()).isNull();
        renewals.down();
        renewals.up();
        passMillis(100);
        renewals.look();
        assertThat(complaint()).startsWith("LV: ").contains("has not asked after " + HANDLE);
    }

    @Test
    void whatIsOverOrGivenBackNeedsNoQuestion() {
        acquire();
        renewals.up();
        send("release", HANDLE, "0", "channel");
        passMillis(100);
        renewals.look();
        answer(send("acquire", "c0:h2:2", "200"), 1, 8);
        passMillis(200);
        renewals.up();
        passMillis(100);
        renewals.look();
        assertThat(complaint()).isNull();
    }

    @Test
    void aLeaseThatHadRunOutAndIsRenewedAgainIsFound() {
        acquire();
        passMillis(1_000);
        Request late = renew();
        passMillis(1_900);
        answer(late, 1);
        late = renew();
        passMillis(2_967);
        answer(late, 1);
        assertThat(complaint()).isNull();
        renew();
        assertThat(complaint()).startsWith("LV: ").contains("had run out before");
    }

    @Test
    void anEarlierRoundThatIsNotUndoneIsFound() {
        Request first = send("propose", HANDLE, "3000");
        rounds.failed(0, first, CUT);
        send("release", HANDLE, "0", "channel");
        send("propose", "c0:h1:2", "3000");
        passMillis(100);
        rounds.look();
        assertThat(complaint()).isNull();
        send("propose", "c0:h1:3", "3000");
        passMillis(100);
        rounds.look();
        assertThat(complaint()).startsWith("HC: ").contains("does not undo c0:h1:2");
    }

    @Test
    void aGrantThatComesWhenItsLeaseIsOverIsKnown() {
        Request prompt = send("acquire", "c0:h1:1", "100");
        Request slow = send("acquire", "c0:h2:2", "50");
        passMillis(48);
        answer(prompt, 1, 7);
        answer(slow, 1, 8);
        assertThat(rounds.wasGrantedTooLate("c0:h1")).isFalse();
        assertThat(rounds.wasGrantedTooLate("c0:h2")).isTrue();
        assertThat(rounds.wasGrantedTooLate("c0:h3")).isFalse();
    }
}
