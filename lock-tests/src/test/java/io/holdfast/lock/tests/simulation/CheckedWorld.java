package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A world of one server, one client and one lock, in which a test plays by hand what the checkers have to judge. */
abstract class CheckedWorld {

    static final int LOCK = 0;
    static final String KEY = "lock";

    final List<String> complaints = new ArrayList<>();
    final Complaints listener = (checker, message) -> complaints.add(checker + ": " + message);
    final World world = new World(1, null);
    final Ledger ledger = new Ledger(world, List.of(KEY), new FencingChecker(listener, 1, 1, false), false);
    final SimulatedServer.Witness book = ledger.book(0);
    final SimulatedServer server = new SimulatedServer(world, 0, new Clock(world, 0, 0), 0, new Chance(1, 1), book);
    final SimulatedClient client;

    CheckedWorld(ClientOptions options) {
        client = new SimulatedClient(
                world,
                0,
                new Clock(world, 0, 0),
                new Chance(1, 2),
                options,
                Climate.USUAL,
                null,
                List.of(server),
                true,
                List.of(KEY));
    }

    final void pass(long nanos) {
        boolean[] over = {false};
        world.after(nanos, () -> over[0] = true);
        while (!over[0]) {
            world.stepOn();
        }
    }

    /** What an engine asks about the lock. */
    static final class Asked extends ScriptCall {

        private final List<String> arguments;

        Asked(String script, String... arguments) {
            super(new Script(script, ""), 0, 0, 0);
            this.arguments = List.of(arguments);
        }

        @Override
        public void encode(Args out) {
            out.key(KEY.getBytes(StandardCharsets.UTF_8));
            arguments.forEach(each -> out.arg(each.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void onOverdue() {}

        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onFault(Fault fault) {}
    }
}
