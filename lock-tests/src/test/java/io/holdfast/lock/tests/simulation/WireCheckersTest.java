package io.holdfast.lock.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** What clients ask of servers shows {@link RenewalChecker} and {@link RoundChecker} what they are there for, and only that. */
@Tag("proof")
class WireCheckersTest {

    private static final long MILLI = 1_000_000;
    private static final long LEASE_MILLIS = 3_000;
    private static final String HANDLE = "c0:h1:1";
    private static final Fault CUT = new Fault(Fault.Kind.DISCONNECTED, true, "node-a", "cut");

    private final World world = new World(1, null);
    private final SimulatedClient client = client();
    private final RenewalChecker renewals = client.backends.get(0).commands.judges.renewals;
    private final RoundChecker rounds = client.rounds;

    WireCheckersTest() {
        // Its own connection is up by then, and does not interfere.
        pass(300);
    }

    private SimulatedClient client() {
        FencingChecker fencing = new FencingChecker((checker, message) -> {}, 1, 1, false);
        Ledger ledger = new Ledger(world, List.of("lock"), fencing, false);
        SimulatedServer server =
                new SimulatedServer(world, 0, new Clock(world, 0, 0), 0, new Chance(1, 1), ledger.book(0));
        LockOptions locks = LockOptions.builder()
                .watchdogLease(Duration.ofMillis(LEASE_MILLIS))
                .build();
        return new SimulatedClient(
                world,
                0,
                new Clock(world, 0, 0),
                new Chance(1, 2),
                ClientOptions.builder().lockOptions(locks).build(),
                Climate.USUAL,
                null,
                List.of(server),
                true,
                List.of("lock"));
    }

    private void pass(long millis) {
        boolean[] over = {false};
        world.after(millis * MILLI, () -> over[0] = true);
        while (!over[0]) {
            world.stepOn();
        }
    }

    /** Something that an engine asks. */
    private final class Asked extends ScriptCall {

        private final List<String> arguments;

        Asked(String script, String... arguments) {
            super(new Script(script, ""), 0, 0, 0);
            this.arguments = List.of(arguments);
        }

        @Override
        public void encode(Args out) {
            out.key("lock".getBytes(StandardCharsets.UTF_8));
            arguments.forEach(each -> out.arg(each.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onFault(Fault fault) {}
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
        pass(60);
        renewals.failed(renew());
        pass(100);
        answer(renew(), 1);
        pass(1_000);
        renewals.failed(renew());
        assertThat(complaint()).isNull();
        pass(100);
        renew();
        assertThat(complaint()).startsWith("LV: ").contains("repeats the renewal of " + HANDLE);
    }

    @Test
    void aRenewalThatHadToWaitForAnotherIsNot() {
        acquire();
        renewals.failed(renew());
        Request another = send("renew", "c0:h2:2", Long.toString(LEASE_MILLIS));
        pass(500);
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
        pass(100);
        renewals.look();
        assertThat(complaint()).isNull();
        renewals.down();
        renewals.up();
        pass(100);
        renewals.look();
        assertThat(complaint()).startsWith("LV: ").contains("has not asked after " + HANDLE);
    }

    @Test
    void whatIsOverOrGivenBackNeedsNoQuestion() {
        acquire();
        renewals.up();
        send("release", HANDLE, "0", "channel");
        pass(100);
        renewals.look();
        answer(send("acquire", "c0:h2:2", "200"), 1, 8);
        pass(200);
        renewals.up();
        pass(100);
        renewals.look();
        assertThat(complaint()).isNull();
    }

    @Test
    void aLeaseThatHadRunOutAndIsRenewedAgainIsFound() {
        acquire();
        pass(1_000);
        Request late = renew();
        pass(1_900);
        answer(late, 1);
        late = renew();
        pass(2_967);
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
        pass(100);
        rounds.look();
        assertThat(complaint()).isNull();
        send("propose", "c0:h1:3", "3000");
        pass(100);
        rounds.look();
        assertThat(complaint()).startsWith("HC: ").contains("does not undo c0:h1:2");
    }

    @Test
    void aGrantThatComesWhenItsLeaseIsOverIsKnown() {
        Request prompt = send("acquire", "c0:h1:1", "100");
        Request slow = send("acquire", "c0:h2:2", "50");
        pass(48);
        answer(prompt, 1, 7);
        answer(slow, 1, 8);
        assertThat(rounds.wasGrantedTooLate("c0:h1")).isFalse();
        assertThat(rounds.wasGrantedTooLate("c0:h2")).isTrue();
        assertThat(rounds.wasGrantedTooLate("c0:h3")).isFalse();
    }
}
