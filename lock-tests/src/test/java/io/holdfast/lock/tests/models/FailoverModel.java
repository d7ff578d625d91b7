package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.FailoverState.Client;
import io.holdfast.lock.tests.models.FailoverState.Id;
import io.holdfast.lock.tests.models.FailoverState.Memory;
import io.holdfast.lock.tests.models.FailoverState.Server;
import io.holdfast.lock.tests.models.FailoverState.Term;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whom clients may believe when Sentinels replace the primary: servers that copy each other late or never, three
 * Sentinels that learn of promotions in any order and at any time, and two clients.
 *
 * <p>A primary that was replaced goes on taking writes until it becomes a replica, and clients go on talking to it as long as
 * they like. What a client has heard, and what it has sent, is no part of the state: it may count on whatever enough
 * Sentinels have said lately, and whatever is executed may have been sent at any time before.
 */
final class FailoverModel implements Model<FailoverState> {
    static final String ONE_HOLDER = "one holder";

    private static final int SENTINELS = 3;
    private static final int MAJORITY = 2;
    private static final Id NO_ID = new Id(0, 0);

    private final Set<FailoverRule> rules;
    private final FailoverBounds bounds;
    private final Numbering numbering = new Numbering();

    /** The age from which on a term's is the same. */
    private final int oldest;

    private final int longestLease;

    FailoverModel(Set<FailoverRule> rules, FailoverBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
        this.oldest = bounds.lease + bounds.silence;
        this.longestLease = bounds.lease + (has(FailoverRule.LONGER_REFUSED) ? 0 : 1);
    }

    /** The first server has been the primary for long. */
    @Override
    public FailoverState start() {
        Term term = new Term(has(FailoverRule.TERM_NAMES_ID) ? new Id(1, 0) : NO_ID, 0, oldest);
        Server primary = new Server(1, true, 0, 0, term);
        Server replica = new Server(1, false, 0, 0, null);
        return new FailoverState(
                Lists.replaced(Collections.nCopies(bounds.servers, replica), 0, primary),
                List.of(0),
                Collections.nCopies(SENTINELS, List.of(0)),
                Collections.nCopies(2, new Client(0, null)),
                bounds.restarts);
    }

    @Override
    public void steps(FailoverState state, Steps<FailoverState> steps) {
        for (int epoch = 0; epoch <= state.latest(); epoch++) {
            if (state.servers().get(state.promoted().get(epoch)).writes()) {
                begin(state, epoch, steps);
                connect(state, epoch, steps);
                acquire(state, epoch, steps);
                renew(state, epoch, steps);
                release(state, epoch, steps);
            }
        }
        for (int server = 0; server < bounds.servers; server++) {
            if (server != state.promoted().get(state.latest())) {
                copy(state, server, steps);
                promote(state, server, steps);
            }
            restart(state, server, steps);
        }
        for (int sentinel = 0; sentinel < SENTINELS; sentinel++) {
            learn(state, sentinel, steps);
        }
        steps.step(tick(state), () -> "time passes");
    }

    // What clients do. Each of them may know any epoch, and talks to the server that was promoted then.

    /** A client begins a term. Its request may have been on its way for long, so all that ever named the primary count. */
    private void begin(FailoverState state, int epoch, Steps<FailoverState> steps) {
        int number = state.promoted().get(epoch);
        Server server = state.servers().get(number);
        Term stored = server.term();
        Term present = term(state, epoch);
        boolean isThere = stored != null && stored.isSame(present);
        long named = state.sentinels().stream()
                .filter(words -> words.get(epoch) >= 0)
                .count();
        if (!isThere && named >= (has(FailoverRule.TERM_BY_MAJORITY) ? MAJORITY : 1)) {
            boolean believed = stored == null && !has(FailoverRule.NO_TERM_IS_NEW);
            Term begun = believed ? new Term(present.id(), present.epoch(), oldest) : present;
            steps.step(
                    state.with(number, server.inTerm(begun)),
                    Model.text("a term begins at %c in epoch %d", 'A' + number, epoch));
        }
    }

    /** A client connects, and remembers the term that it sees: where scripts don't compare it. */
    private void connect(FailoverState state, int epoch, Steps<FailoverState> steps) {
        int number = state.promoted().get(epoch);
        Term stored = state.servers().get(number).term();
        if (has(FailoverRule.TERM_COMPARED) || stored == null || !stored.isSame(term(state, epoch))) {
            return;
        }
        for (int client = 0; client < state.clients().size(); client++) {
            steps.step(
                    state.withClient(client, new Client(state.valid(client), stored)),
                    Model.text("client %d connects to %c in epoch %d", client + 1, 'A' + number, epoch));
        }
    }

    private void acquire(FailoverState state, int epoch, Steps<FailoverState> steps) {
        int number = state.promoted().get(epoch);
        Server server = state.servers().get(number);
        int pause = (has(FailoverRule.PAUSE_FOR_LEASE) ? bounds.lease : 0)
                + (has(FailoverRule.PAUSE_FOR_SILENCE) ? bounds.silence : 0);
        for (int client = 0; client < state.clients().size(); client++) {
            if (server.owner() != 0 || state.valid(client) > 0 || !isOld(state, client, epoch, pause)) {
                continue;
            }
            for (int lease = bounds.lease; lease <= longestLease; lease++) {
                for (int sent = 0; sent < lease; sent++) {
                    if (isVouchedFor(state, epoch, FailoverRule.GRANTS_VOUCHED, sent)) {
                        steps.step(
                                state.with(number, server.owned(client + 1, lease))
                                        .holding(client, lease - sent),
                                Model.text(
                                        "%c grants the lock to client %d, known in epoch %d, by a request that is %d old",
                                        'A' + number, client + 1, epoch, sent));
                    }
                }
            }
        }
    }

    /** Only the first client renews, and releases. */
    private void renew(FailoverState state, int epoch, Steps<FailoverState> steps) {
        int number = state.promoted().get(epoch);
        Server server = state.servers().get(number);
        int pause = has(FailoverRule.RENEWALS_WAIT) ? bounds.silence : 0;
        if (server.owner() != 1 || state.valid(0) == 0 || !isOld(state, 0, epoch, pause)) {
            return;
        }
        FailoverState renewed = state.with(number, server.owned(1, Math.max(server.left(), bounds.lease)));
        for (int sent = 0; sent < bounds.lease; sent++) {
            if (isVouchedFor(state, epoch, FailoverRule.RENEWALS_VOUCHED, sent)) {
                steps.step(
                        renewed.holding(0, Math.max(state.valid(0), bounds.lease - sent)),
                        Model.text(
                                "%c renews the lease of client 1, known in epoch %d, by a request that is %d old",
                                'A' + number, epoch, sent));
            }
        }
    }

    private void release(FailoverState state, int epoch, Steps<FailoverState> steps) {
        int number = state.promoted().get(epoch);
        Server server = state.servers().get(number);
        if (state.valid(0) > 0 && server.owner() == 1) {
            steps.step(
                    state.with(number, server.freed()).holding(0, 0),
                    Model.text("client 1 releases at %c", 'A' + number));
        }
    }

    // What counts.

    /** The term that a server is in for a client that knows the epoch. */
    private Term term(FailoverState state, int epoch) {
        return new Term(
                has(FailoverRule.TERM_NAMES_ID) ? state.id(state.promoted().get(epoch)) : NO_ID,
                has(FailoverRule.TERM_NAMES_EPOCH) ? epoch : 0,
                0);
    }

    /** Whether the term is there, and as old as this. */
    private boolean isOld(FailoverState state, int client, int epoch, int pause) {
        Term term = term(state, epoch);
        int number = state.promoted().get(epoch);
        if (has(FailoverRule.TERM_COMPARED)) {
            Term stored = state.servers().get(number).term();
            return stored != null && stored.isSame(term) && stored.age() >= pause;
        }
        Term seen = state.clients().get(client).seen();
        // The connection ends when the server is restarted; it survives that the server is a replica for a while.
        return seen != null
                && seen.epoch() == term.epoch()
                && seen.id().run() == term.id().run()
                && seen.age() >= pause;
    }

    /** Whether enough Sentinels have named the primary lately. */
    private boolean isVouchedFor(FailoverState state, int epoch, FailoverRule rule, int sent) {
        int lately = bounds.silence + (has(FailoverRule.WHEN_ANSWERED) ? 0 : sent);
        long vouching = state.sentinels().stream()
                .filter(words -> hasNamed(state, words, epoch, lately))
                .count();
        return !has(rule) || vouching >= (has(FailoverRule.MAJORITY_OF_ALL) ? MAJORITY : 1);
    }

    private boolean hasNamed(FailoverState state, List<Integer> words, int epoch, int lately) {
        for (int other = 0; other <= state.latest(); other++) {
            boolean isMeant = has(FailoverRule.EPOCH_NAMED)
                    ? other == epoch
                    : state.promoted().get(other).equals(state.promoted().get(epoch));
            if (isMeant && words.get(other) >= 0 && words.get(other) <= lately) {
                return true;
            }
        }
        return false;
    }

    // What happens to servers and Sentinels.

    private void copy(FailoverState state, int replica, Steps<FailoverState> steps) {
        for (int primary = 0; primary < bounds.servers; primary++) {
            Server from = state.servers().get(primary);
            if (primary != replica && from.writes()) {
                Server copy = state.servers().get(replica).copyOf(from);
                steps.step(state.with(replica, copy), Model.text("%c copies %c", 'A' + replica, 'A' + primary));
            }
        }
    }

    private void promote(FailoverState state, int server, Steps<FailoverState> steps) {
        if (state.latest() < bounds.failovers) {
            steps.step(
                    state.promoting(server),
                    Model.text("%c is promoted in epoch %d", 'A' + server, state.latest() + 1));
        }
    }

    private void restart(FailoverState state, int server, Steps<FailoverState> steps) {
        if (state.restarts() == 0) {
            return;
        }
        for (Memory memory : Memory.values()) {
            Server restarted = state.servers().get(server).restarted(memory);
            steps.step(
                    state.with(server, restarted).oneRestartLess(),
                    Model.text(
                            "%c restarts with %s of its data",
                            'A' + server, memory.name().toLowerCase(Locale.ROOT)));
        }
    }

    /** A Sentinel hears of a promotion, perhaps one that was followed by another already. */
    private void learn(FailoverState state, int sentinel, Steps<FailoverState> steps) {
        int known = FailoverState.epochOf(state.sentinels().get(sentinel));
        for (int epoch = known + 1; epoch <= state.latest(); epoch++) {
            int server = state.promoted().get(epoch);
            steps.step(
                    state.naming(sentinel, epoch),
                    Model.text("Sentinel %d names %c in epoch %d", sentinel + 1, 'A' + server, epoch));
        }
    }

    private FailoverState tick(FailoverState state) {
        int longAgo = bounds.silence + 1 + (has(FailoverRule.WHEN_ANSWERED) ? 0 : bounds.lease);
        return new FailoverState(
                state.servers().stream().map(server -> server.older(oldest)).toList(),
                state.promoted(),
                state.sentinels().stream()
                        .map(words -> FailoverState.older(words, longAgo))
                        .toList(),
                state.clients().stream().map(client -> client.older(oldest)).toList(),
                state.restarts());
    }

    // What must hold.

    @Override
    public List<Invariant<FailoverState>> invariants() {
        return List.of(new Invariant<>(ONE_HOLDER, state -> state.valid(0) == 0 || state.valid(1) == 0));
    }

    /** Which Sentinel is called the first does not matter. */
    @Override
    public Object identity(FailoverState state) {
        return numbering.identity(
                state.sentinels(), List.of(state.servers(), state.promoted(), state.clients(), state.restarts()));
    }

    private boolean has(FailoverRule rule) {
        return rules.contains(rule);
    }
}
