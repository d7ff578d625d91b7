package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.HandOverState.Client;
import io.holdfast.lock.tests.models.HandOverState.Hold;
import io.holdfast.lock.tests.models.HandOverState.Kind;
import io.holdfast.lock.tests.models.HandOverState.Request;
import io.holdfast.lock.tests.models.HandOverState.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The server in the model of local hand-over, and the time. */
final class HandOverServer {
    static final int BLOCK = 2;

    private final Set<HandOverRule> rules;
    private final HandOverBounds bounds;

    HandOverServer(Set<HandOverRule> rules, HandOverBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    /** A request is executed; a release has no answer. */
    HandOverState executed(HandOverState state, int at, int block) {
        Client self = state.client();
        Request request = self.flight().get(at);
        Server server = state.server();
        boolean isMine = server.field() == request.field();
        if (request.kind() == Kind.RELEASE) {
            List<Request> others = new ArrayList<>(self.flight());
            others.remove(at);
            HandOverState done = state.with(self.flight(List.copyOf(others)));
            return isMine ? freed(done) : done;
        }
        boolean enters = request.kind() == Kind.ACQUIRE && server.field() == HandOverState.FREE
                || request.kind() == Kind.TRANSFER && server.field() == request.from();
        if (enters) {
            int token = server.clock() + 1;
            int clock = rules.contains(HandOverRule.BLOCK_RESERVED) ? server.clock() + block : token;
            boolean isKept = server.wanted() && rules.contains(HandOverRule.TOLD_AGAIN);
            Server entered = new Server(request.field(), request.lease(), token, clock, isKept);
            Request granted = request.granted(token, server.clock() + block, server.wanted());
            return answers(state.with(entered).with(state.seen().gone(HandOverState.NEVER)), at, granted);
        }
        if (isMine) {
            int again = rules.contains(HandOverRule.REPEAT_OF_ONE) ? 1 : BLOCK;
            Request granted = request.granted(server.token(), server.token() + again - 1, server.wanted());
            return answers(state.with(server.lasts(request.lease())), at, granted);
        }
        return answers(state, at, request.refused());
    }

    private static HandOverState answers(HandOverState state, int at, Request answer) {
        Client self = state.client();
        return state.with(self.flight(Lists.replaced(self.flight(), at, answer)));
    }

    /** The lock is free, and those who listen are told. */
    static HandOverState freed(HandOverState state) {
        Client self = state.client();
        return state.with(state.server().freed())
                .with(self.queue().isEmpty() ? self : self.news(true))
                .with(state.seen().waits(HandOverState.NEVER));
    }

    /** A tick passes, for all. */
    HandOverState later(HandOverState state) {
        Client self = state.client();
        Hold hold = self.hold();
        Client older = self.grant(self.grant() == null ? null : self.grant().later())
                .hold(hold == null ? null : new Hold(hold.call(), Math.max(0, hold.left() - 1), hold.token()))
                .turn(self.others(), Math.max(0, self.turn() - 1))
                .flight(self.flight().stream().map(Request::later).toList());
        HandOverState after = state.with(older).with(state.seen().later(bounds.window));
        Server server = state.server();
        if (server.field() == HandOverState.FREE) {
            return after;
        }
        // Waiters know when a lease is over.
        return server.left() == 1
                ? freed(after)
                : after.with(
                        new Server(server.field(), server.left() - 1, server.token(), server.clock(), server.wanted()));
    }
}
