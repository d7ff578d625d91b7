package io.holdfast.lock.tests.models;

import io.holdfast.lock.tests.models.ElectionState.Budget;
import io.holdfast.lock.tests.models.ElectionState.Campaign;
import io.holdfast.lock.tests.models.ElectionState.Copy;
import io.holdfast.lock.tests.models.ElectionState.Feed;
import io.holdfast.lock.tests.models.ElectionState.Observer;
import io.holdfast.lock.tests.models.ElectionState.Phase;
import io.holdfast.lock.tests.models.ElectionState.Server;
import io.holdfast.lock.tests.models.ElectionState.Sight;
import io.holdfast.lock.tests.models.ElectionState.Stage;
import io.holdfast.lock.tests.models.ElectionState.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * An election. The lock excludes by itself here, as the other models show: what is tried is what is told of it. Proclamations get
 * lost, are repeated, and may be executed late; there are no polls, so an observer that only these would help is deceived.
 */
final class ElectionModel implements Model<ElectionState> {
    static final String TRUE_LEADER = "true leader";
    static final String SEEN_BY_ALL = "seen by all";
    static final String NO_ORPHAN = "no orphan";
    static final String NO_LOST_NEWS = "no lost news";
    static final String TERMS_INCREASE = "terms increase";
    static final String ONE_TERM = "one term";

    /** The campaign of the candidate that campaigns a second time, and its second. */
    private static final int FIRST = 0;

    private static final int AGAIN = 2;

    private final Set<ElectionRule> rules;
    private final ElectionBounds bounds;

    ElectionModel(Set<ElectionRule> rules, ElectionBounds bounds) {
        this.rules = rules;
        this.bounds = bounds;
    }

    @Override
    public ElectionState start() {
        Budget budget = new Budget(
                bounds.values, bounds.reconnects, bounds.drops, bounds.restarts, bounds.failovers, bounds.failovers);
        return new ElectionState(
                Server.EMPTY,
                Server.EMPTY,
                Collections.nCopies(bounds.campaigns, Campaign.FIRST),
                List.of(),
                Observer.FIRST,
                0,
                Trace.NONE,
                budget);
    }

    @Override
    public void steps(ElectionState state, Steps<ElectionState> steps) {
        for (int number = 0; number < state.campaigns().size(); number++) {
            campaignSteps(state, number, steps);
        }
        for (Copy copy : Set.copyOf(state.late())) {
            List<Copy> others = new ArrayList<>(state.late());
            others.remove(copy);
            steps.step(
                    proclaim(state.late(List.copyOf(others)), copy.campaign(), copy.version()),
                    () -> "server executes a late proclamation " + copy.version() + " of campaign " + copy.campaign());
        }
        serverSteps(state, steps);
        observerSteps(state, steps);
    }

    // Candidates.

    /** A candidate that campaigns again asks under a new field. */
    private int field(int number) {
        return number == AGAIN && !rules.contains(ElectionRule.NEW_TERM) ? FIRST : number;
    }

    private boolean holds(Server server, int number) {
        return server.holder() == field(number);
    }

    private void campaignSteps(ElectionState state, int number, Steps<ElectionState> steps) {
        Campaign campaign = state.campaigns().get(number);
        switch (campaign.phase()) {
            case NEW -> {
                if (number != AGAIN || state.campaigns().get(FIRST).phase() == Phase.OVER) {
                    steps.step(state.with(number, campaign.in(Phase.ASKING)), () -> "campaign " + number + " begins");
                }
            }
            case ASKING -> grant(state, number, steps);
            case GRANTED -> {
                boolean waits = rules.contains(ElectionRule.PROCLAIMED_FIRST);
                Campaign proclaims = campaign.proclaims();
                steps.step(
                        state.with(number, waits ? proclaims : proclaims.leads())
                                .late(waits ? state.late() : sorted(state.late(), new Copy(number, 1))),
                        () -> "campaign " + number + " hears that it is elected");
            }
            case PROCLAIMING -> {
                boolean done = holds(state.server(), number) || !rules.contains(ElectionRule.HELD);
                steps.step(
                        proclaim(state, number, campaign.version())
                                .with(number, campaign.in(done ? Phase.PROCLAIMED : Phase.REFUSED)),
                        () -> "server executes proclamation " + campaign.version() + " of campaign " + number);
                breaks(state, number, steps);
            }
            case PROCLAIMED -> {
                steps.step(
                        state.with(number, campaign.leads()),
                        () -> "campaign " + number + " hears that " + campaign.version() + " is proclaimed");
                breaks(state, number, steps);
            }
            case LEADING -> {
                Budget left = state.budget();
                if (left.values() > 0) {
                    steps.step(
                            state.with(number, campaign.proclaims())
                                    .with(new Budget(
                                            left.values() - 1,
                                            left.reconnects(),
                                            left.drops(),
                                            left.restarts(),
                                            left.failovers(),
                                            left.copies())),
                            () -> "the leader of campaign " + number + " sets its value");
                }
                steps.step(
                        state.with(number, campaign.in(Phase.GIVING_BACK)),
                        () -> "the leader of campaign " + number + " resigns");
            }
            case GIVING_BACK ->
                steps.step(
                        part(state, number).with(number, campaign.in(Phase.OVER)),
                        () -> "server executes the release of campaign " + number);
            default -> {}
        }
        givesUp(state, number, steps);
    }

    private void givesUp(ElectionState state, int number, Steps<ElectionState> steps) {
        Campaign campaign = state.campaigns().get(number);
        if (campaign.mayBeLost()) {
            steps.step(
                    state.with(number, campaign.in(Phase.OVER)),
                    () -> "campaign " + number + " is lost, or its process dies");
        }
        boolean isTold = campaign.known() > 0;
        if (!isTold && (campaign.phase() == Phase.PROCLAIMING || campaign.phase() == Phase.PROCLAIMED)) {
            boolean givesBack = rules.contains(ElectionRule.GIVEN_BACK);
            steps.step(
                    state.with(number, campaign.in(givesBack ? Phase.GIVING_BACK : Phase.ABANDONED)),
                    () -> "the caller of campaign " + number + " gives up");
        }
    }

    private void grant(ElectionState state, int number, Steps<ElectionState> steps) {
        Server server = state.server();
        Campaign campaign = state.campaigns().get(number);
        if (holds(server, number)) {
            steps.step(
                    state.with(number, campaign.granted(server.token())),
                    () -> "server finds that the field of campaign " + number + " holds the lock");
        } else if (server.holder() < 0) {
            int term = state.minted() + 1;
            steps.step(
                    state.minted(term).with(server.held(field(number), term)).with(number, campaign.granted(term)),
                    () -> "server grants the lock to campaign " + number + ", term " + term);
        }
    }

    /** The connection of a candidate breaks, and its request is repeated on the next; the first may be executed late. */
    private void breaks(ElectionState state, int number, Steps<ElectionState> steps) {
        Campaign campaign = state.campaigns().get(number);
        Budget left = state.budget();
        if (left.reconnects() == 0) {
            return;
        }
        ElectionState broken = state.with(new Budget(
                        left.values(),
                        left.reconnects() - 1,
                        left.drops(),
                        left.restarts(),
                        left.failovers(),
                        left.copies()))
                .with(number, campaign.in(Phase.PROCLAIMING));
        boolean isLeft = campaign.phase() == Phase.PROCLAIMING;
        steps.step(
                isLeft ? broken.late(sorted(state.late(), new Copy(number, campaign.version()))) : broken,
                () -> "the connection of campaign " + number + " breaks, and it proclaims again");
    }

    private static List<Copy> sorted(List<Copy> copies, Copy more) {
        return Lists.appended(copies, more).stream()
                .sorted(Comparator.comparingInt(Copy::campaign).thenComparingInt(Copy::version))
                .toList();
    }

    // The server.

    private ElectionState proclaim(ElectionState state, int number, int version) {
        Server server = state.server();
        if (server.holder() < 0 || !holds(server, number) && rules.contains(ElectionRule.HELD)) {
            return state;
        }
        boolean isOlder =
                server.said().term() == server.token() && server.said().version() >= version;
        if (isOlder && rules.contains(ElectionRule.NEWEST_VALUE)) {
            return state;
        }
        ElectionState said = state.with(server.saying(new Sight(server.token(), number, version)));
        return rules.contains(ElectionRule.PROCLAMATION_TOLD) ? tell(said) : said;
    }

    private ElectionState part(ElectionState state, int number) {
        if (!holds(state.server(), number)) {
            return state;
        }
        ElectionState freed = state.with(state.server().freed());
        return rules.contains(ElectionRule.RELEASE_HEARD) ? tell(freed) : freed;
    }

    private void serverSteps(ElectionState state, Steps<ElectionState> steps) {
        Server server = state.server();
        Budget left = state.budget();
        if (server.holder() >= 0 && isUnattended(state)) {
            boolean looks = rules.contains(ElectionRule.EXPIRY_LOOKS)
                    && state.observer().lease() == server.token()
                    && state.observer().stage() != Stage.ASKING;
            ElectionState over = state.with(server.freed());
            Observer observer = over.observer();
            steps.step(
                    looks ? over.with(observer.feed(observer.feed(), true)) : over,
                    () -> "the lease of the lock is over");
        }
        if (left.restarts() > 0) {
            Budget less = new Budget(
                    left.values(),
                    left.reconnects(),
                    left.drops(),
                    left.restarts() - 1,
                    left.failovers(),
                    left.copies());
            steps.step(
                    subscribeAgain(state.with(less).with(Server.EMPTY).late(List.of())),
                    () -> "server restarts without its data");
        }
        if (left.copies() > 0) {
            Budget less = new Budget(
                    left.values(),
                    left.reconnects(),
                    left.drops(),
                    left.restarts(),
                    left.failovers(),
                    left.copies() - 1);
            steps.step(state.with(less).replicated(), () -> "the replica hears of all that is there");
        }
        if (left.failovers() > 0) {
            Budget less = new Budget(
                    left.values(),
                    left.reconnects(),
                    left.drops(),
                    left.restarts(),
                    left.failovers() - 1,
                    left.copies());
            Trace trace = state.trace();
            steps.step(
                    subscribeAgain(state.with(less)
                            .with(state.replica())
                            .late(List.of())
                            .with(new Trace(trace.lied(), trace.wentBack(), true))),
                    () -> "the replica replaces the server");
        }
        if (left.drops() > 0) {
            Budget less = new Budget(
                    left.values(),
                    left.reconnects(),
                    left.drops() - 1,
                    left.restarts(),
                    left.failovers(),
                    left.copies());
            steps.step(subscribeAgain(state.with(less)), () -> "the connection for messages is dropped");
        }
    }

    /** Whether no client renews what holds the lock. */
    private boolean isUnattended(ElectionState state) {
        for (int number = 0; number < state.campaigns().size(); number++) {
            Campaign campaign = state.campaigns().get(number);
            if (holds(state.server(), number)
                    && campaign.isAlive()
                    && campaign.phase() != Phase.NEW
                    && campaign.term() == state.server().token()) {
                return false;
            }
        }
        return true;
    }

    private static ElectionState tell(ElectionState state) {
        Observer observer = state.observer();
        return observer.feed() == Feed.LISTENING ? state.with(observer.feed(Feed.LISTENING, true)) : state;
    }

    private static ElectionState subscribeAgain(ElectionState state) {
        return state.with(state.observer().feed(Feed.REQUESTED, false));
    }

    // The observer.

    private void observerSteps(ElectionState state, Steps<ElectionState> steps) {
        Observer observer = state.observer();
        switch (observer.stage()) {
            case NEW -> steps.step(state.with(observer.asks()), () -> "the observer comes, and looks");
            case ASKING -> steps.step(look(state), () -> "server executes the look");
            case HEARING -> steps.step(hear(state), () -> "the observer hears " + observer.heard());
            default -> {}
        }
        if (observer.feed() == Feed.REQUESTED) {
            boolean looks = rules.contains(ElectionRule.CONFIRMATION_LOOKS);
            steps.step(state.with(observer.feed(Feed.LISTENING, observer.news() || looks)), () -> "server subscribes");
        }
        if (observer.news()) {
            Observer hearing = observer.feed(observer.feed(), false);
            boolean permits = rules.contains(ElectionRule.PERMIT);
            steps.step(
                    state.with(hearing.isLooking() ? permits ? hearing.permitted() : hearing : hearing.asks()),
                    () -> "the observer hears a confirmation or a message, or a lease is over");
        }
    }

    private ElectionState look(ElectionState state) {
        Server server = state.server();
        Sight sight = server.leader(rules.contains(ElectionRule.TOKEN_COMPARED));
        boolean isTrue = sight.term() == 0 || server.token() == sight.term() && holds(server, sight.campaign());
        Trace trace = state.trace();
        return state.with(state.observer().hears(sight, server.token()))
                .with(new Trace(trace.lied() || !isTrue, trace.wentBack(), trace.failedOver()));
    }

    private ElectionState hear(ElectionState state) {
        Observer observer = state.observer();
        Sight sight = shown(observer, observer.heard());
        boolean goesBack = sight.term() > 0 && sight.term() < observer.newest().term();
        Observer told = observer.tells(sight);
        Trace trace = state.trace();
        return state.with(told.permit() ? told.asks() : told)
                .with(new Trace(trace.lied(), trace.wentBack() || goesBack, trace.failedOver()));
    }

    /** A leader of an earlier term is none, and an earlier value changes nothing. */
    private Sight shown(Observer observer, Sight seen) {
        Sight newest = observer.newest();
        if (!rules.contains(ElectionRule.NEVER_OLDER) || seen.term() > newest.term() || seen.term() == 0) {
            return seen;
        }
        if (seen.term() < newest.term()) {
            return Sight.NONE;
        }
        return seen.version() < newest.version() ? observer.told() : seen;
    }

    @Override
    public List<Invariant<ElectionState>> invariants() {
        return List.of(
                new Invariant<>(TRUE_LEADER, state -> !state.trace().lied()),
                new Invariant<>(SEEN_BY_ALL, this::isSeen),
                new Invariant<>(NO_ORPHAN, this::isWanted),
                new Invariant<>(NO_LOST_NEWS, this::isTold),
                new Invariant<>(TERMS_INCREASE, state -> !state.trace().wentBack()),
                new Invariant<>(ONE_TERM, ElectionModel::haveTheirOwn));
    }

    /** Whether each leader that has the lock is the one in the record, with a value not older than it knows to be set. */
    private boolean isSeen(ElectionState state) {
        Server server = state.server();
        for (int number = 0; number < state.campaigns().size(); number++) {
            Campaign campaign = state.campaigns().get(number);
            Sight said = server.said();
            boolean leads = campaign.phase() == Phase.LEADING
                    && holds(server, number)
                    && campaign.term() == server.token()
                    && !state.trace().failedOver();
            if (leads
                    && (said.term() != server.token()
                            || said.campaign() != number
                            || said.version() < campaign.known())) {
                return false;
            }
        }
        return true;
    }

    /** Whether no lock is kept for a caller that has given up. */
    private boolean isWanted(ElectionState state) {
        for (int number = 0; number < state.campaigns().size(); number++) {
            if (state.campaigns().get(number).phase() == Phase.ABANDONED && holds(state.server(), number)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an observer that has nothing on its way that would make it look was told what the server has. */
    private boolean isTold(ElectionState state) {
        Observer observer = state.observer();
        if (observer.stage() != Stage.WAITING || observer.news() || observer.feed() == Feed.REQUESTED) {
            return true;
        }
        return observer.told().equals(shown(observer, state.server().leader(true)));
    }

    private static boolean haveTheirOwn(ElectionState state) {
        List<Integer> terms = state.campaigns().stream()
                .map(Campaign::term)
                .filter(term -> term > 0)
                .toList();
        return terms.size() == Set.copyOf(terms).size();
    }
}
