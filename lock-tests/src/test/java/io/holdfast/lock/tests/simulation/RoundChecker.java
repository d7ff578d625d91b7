package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luaj.vm2.LuaString;

/**
 * HC and ERR, for how a client asks for locks: whoever asks anew has undone what an earlier request may have left where
 * nothing was heard of it, and nobody is handed a lock whose validity was over before it was granted.
 *
 * <p>For handles only: each has one hold, so that every field of it is of the same acquisition.
 */
final class RoundChecker {

    private static final long MILLI = 1_000_000;
    /** An undo sets out with the step that gives up. */
    private static final long SLACK_NANOS = 10 * MILLI;

    private final World world;
    private final SimulatedClient client;
    private final Map<LuaString, Round> rounds = new HashMap<>();
    private final Map<String, Round> newest = new HashMap<>();
    /** How much was left of the best grant, when it came, by the owner. */
    private final Map<String, Long> leftNanos = new HashMap<>();

    private final List<Round> givenUp = new ArrayList<>();

    /** All requests under one field. */
    private static final class Round {

        final LuaString field;
        final String owner;
        /** Whether a server may have granted it and has not said so, by the server. */
        final boolean[] silent;
        /** Until when it is valid at each server that has granted it, by the client's clock. */
        final long[] validUntilNanos;

        long givenUpNanos;

        Round(LuaString field, String owner, int servers) {
            this.field = field;
            this.owner = owner;
            this.silent = new boolean[servers];
            this.validUntilNanos = new long[servers];
            Arrays.fill(validUntilNanos, Long.MIN_VALUE);
        }

        int silentServer() {
            for (int i = 0; i < silent.length; i++) {
                if (silent[i]) {
                    return i;
                }
            }
            return -1;
        }

        /** The majority-th largest validity; {@link Long#MIN_VALUE} without a majority. */
        long validUntilNanos() {
            long[] sorted = validUntilNanos.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length - (sorted.length / 2 + 1)];
        }
    }

    RoundChecker(SimulatedClient client) {
        this.world = client.world;
        this.client = client;
    }

    /** Whether a field, {@code <client>:<owner>:<number>}, is that of a handle. */
    static boolean isOfHandle(LuaString field) {
        String owner = owner(field);
        return owner.charAt(owner.lastIndexOf(':') + 1) == 'h';
    }

    private static String owner(LuaString field) {
        String text = field.tojstring();
        return text.substring(0, text.lastIndexOf(':'));
    }

    // --- from the connections ---

    /** The engine has sent it on its way to a server. */
    void sent(int server, Request request) {
        if (request.isAcquisition() && isOfHandle(request.field())) {
            Round round = round(request.field());
            round.silent[server] = true;
            Round before = newest.put(round.owner, round);
            if (before != null && before != round && before.silentServer() >= 0) {
                before.givenUpNanos = world.nanos();
                givenUp.add(before);
            }
        } else if (request.isCallOf("transfer") && isOfHandle(request.argument(2))) {
            round(request.argument(2));
        } else if (request.isCallOf("release") || request.isCallOf("queue-part")) {
            heard(server, request.field());
        }
    }

    private Round round(LuaString field) {
        return rounds.computeIfAbsent(field, first -> new Round(field, owner(field), client.backends.size()));
    }

    /** What became of it there is known, or undone. */
    private void heard(int server, LuaString field) {
        Round round = rounds.get(field);
        if (round != null) {
            round.silent[server] = false;
        }
    }

    void answered(int server, Request request, Reply reply) {
        if (request.isAcquisition()) {
            heard(server, request.field());
            if (reply.integer(0) == 1) {
                granted(server, request, request.field(), request.leaseMillis());
            }
        } else if (request.isCallOf("transfer") && reply.integer(0) == 1) {
            granted(server, request, request.argument(2), request.argument(3).tolong());
        }
    }

    private void granted(int server, Request request, LuaString field, long leaseMillis) {
        Round round = rounds.get(field);
        if (round == null) {
            return;
        }
        long leaseNanos = leaseMillis * MILLI;
        long until = request.sentNanos + leaseNanos - leaseNanos / 100 - 2 * MILLI;
        round.validUntilNanos[server] = Math.max(round.validUntilNanos[server], until);
        long majority = round.validUntilNanos();
        if (majority > Long.MIN_VALUE) {
            leftNanos.merge(round.owner, majority - client.nanos(), Math::max);
        }
    }

    void failed(int server, Request request, Fault fault) {
        if (request.isAcquisition() && !fault.maybeApplied()) {
            heard(server, request.field());
        }
    }

    // --- for those who judge ---

    /** Whether a handle was granted the lock only when its validity was over. */
    boolean wasGrantedTooLate(String owner) {
        return leftNanos.getOrDefault(owner, Long.MAX_VALUE) <= 0;
    }

    /** Looks from time to time. */
    void look() {
        if (givenUp.isEmpty() || !client.isInUse()) {
            return;
        }
        givenUp.removeIf(round -> round.silentServer() < 0);
        for (Round round : givenUp) {
            if (world.nanos() - round.givenUpNanos > SLACK_NANOS) {
                world.fail(
                        "HC",
                        client.name + ": has asked anew since, but does not undo " + round.field + " at "
                                + client.backends.get(round.silentServer()).describe()
                                + ", of which it has heard nothing");
            }
        }
    }
}
