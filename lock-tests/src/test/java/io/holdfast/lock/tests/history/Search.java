package io.holdfast.lock.tests.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The search for an order, after Wing and Gong, made quick as Lowe describes: calls are placed as late as possible, when
 * an answer that has come needs them, and runs that have come to the same point are one.
 *
 * <p>It goes through invocations and answers in the order of time and keeps every point to which a sequential run may
 * have come. When an answer comes, its call must have had its place: runs that have not placed it do so now, after any of
 * the other open calls. If none can, the history is impossible. Only calls that overlap are tried in different orders, so
 * a long history with few owners costs little more than its length.
 *
 * <p>Calls without an answer are many where there are faults, and stay open for ever. Of those that ask for the same the
 * first is as good as any other; and one that takes a free lock may do so more than once, as a request does that is sent
 * again. So what has to be remembered of them stays small.
 *
 * <p>A hold may end by itself when its validity is over. When the answer of a call comes at some time, all that has been
 * placed happened before that time; so an end by itself is possible if the validity was over by then.
 */
final class Search {

    private static final int LINES_SHOWN = 12;

    private final Model model;
    private final List<Operation> calls;
    private final BitSet undecided = new BitSet();
    private final int[] twins;
    private final boolean inHaste;
    private final Prospects prospects;
    private final BitSet open = new BitSet();
    private Frontier frontier;
    private long stepsLeft;

    private record Event(long nanos, boolean answer, int call) {}

    /**
     * @param mostSteps after how many steps to give up
     * @param inHaste whether to try only what most often leads to an order: then one that is found is one, and one that
     *     is not may be there all the same
     */
    Search(Model model, List<Operation> operations, long mostSteps, boolean inHaste) {
        this.model = model;
        this.inHaste = inHaste;
        this.stepsLeft = mostSteps;
        this.calls = operations.stream().filter(Operation::matters).toList();
        for (int i = 0; i < calls.size(); i++) {
            undecided.set(i, !calls.get(i).isDecided());
        }
        this.twins = twins();
        this.prospects = new Prospects(model, calls);
        this.frontier = new Frontier(undecided);
        frontier.add(new Frontier.Place(LockState.NEW, new BitSet()));
    }

    Optional<Violation> run() {
        for (Event event : events()) {
            if (event.answer()) {
                long latest = isForgetful() ? Operation.FOREVER : event.nanos();
                Frontier next = place(event.call(), latest);
                if (hasGivenUp()) {
                    return Optional.empty();
                }
                if (next.isEmpty()) {
                    return Optional.of(violation(event.call(), latest));
                }
                frontier = next;
                open.clear(event.call());
                prospects.passed(event.call());
            } else {
                open.set(event.call());
                prospects.opened(event.call());
            }
        }
        return Optional.empty();
    }

    /** Whether there were more orders than it was to try, so that nothing is known. */
    boolean hasGivenUp() {
        return stepsLeft < 0;
    }

    /** While the store may forget, any hold may end, and any number of times: its validity does not protect it. */
    private boolean isForgetful() {
        return open.stream().anyMatch(call -> calls.get(call).call() == Call.FORGET);
    }

    /** At the same time, calls come before answers: then they overlap, which allows more. */
    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            events.add(new Event(calls.get(i).invokedNanos(), false, i));
            if (calls.get(i).isDecided()) {
                events.add(new Event(calls.get(i).completedNanos(), true, i));
            }
        }
        events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::answer));
        return events;
    }

    /** Where runs can be when this call has had its place. */
    private Frontier place(int call, long nanos) {
        Frontier reached = new Frontier(undecided);
        Frontier seen = new Frontier(undecided);
        Deque<Frontier.Place> todo = new ArrayDeque<>();
        for (Frontier.Place place : frontier.places()) {
            if (place.placed().get(call)) {
                reached.add(place.without(call));
            } else if (!prospects.isDeadEnd(place, call, open, nanos) && seen.add(place)) {
                todo.add(place);
            }
        }
        while (!todo.isEmpty() && seen.comparisons() <= stepsLeft) {
            Frontier.Place place = todo.poll();
            for (LockState state :
                    model.step(place.state(), calls.get(call), nanos).states()) {
                reached.add(new Frontier.Place(state, place.placed()));
            }
            placeOthers(call, place, nanos, seen, todo);
        }
        stepsLeft -= seen.comparisons();
        return reached;
    }

    /** Goes on with each of the other open calls that can have its place now. */
    private void placeOthers(int call, Frontier.Place place, long nanos, Frontier seen, Deque<Frontier.Place> todo) {
        LockState from = place.state();
        if (from.isOrphan()) {
            go(place.at(from.free()), seen, todo);
        }
        for (int other = open.nextSetBit(0); other >= 0; other = open.nextSetBit(other + 1)) {
            Operation operation = calls.get(other);
            if (other == call
                    || place.placed().get(other)
                    || hasTwinBefore(other, place)
                    || prospects.canWait(other, place)) {
                continue;
            }
            if (from.isOrphan() && undecided.get(other) && !from.isHeldBy(operation.owner())) {
                // What takes the lock from an orphan takes it from nobody as well.
                continue;
            }
            for (LockState state : model.step(from, operation, nanos).states()) {
                boolean fresh = state.isOrphan() && state.grantedBy() == operation.number() && state.count() == 1;
                Frontier.Place next = fresh ? place.at(state) : place.with(state, other);
                if (!prospects.isDeadEnd(next, call, open, nanos)) {
                    go(next, seen, todo);
                }
            }
        }
    }

    private static void go(Frontier.Place next, Frontier seen, Deque<Frontier.Place> todo) {
        if (seen.add(next)) {
            todo.add(next);
        }
    }

    /** Whether a call before it asks for the same: then that one is placed first. */
    private boolean hasTwinBefore(int call, Frontier.Place place) {
        for (int twin = twins[call]; twin >= 0; twin = twins[twin]) {
            if (open.get(twin) && !place.placed().get(twin)) {
                return true;
            }
            if (undecided.get(twin)) {
                // It has had its place, so those before it have, too.
                return false;
            }
        }
        return false;
    }

    /**
     * For each call the last one before it that asks for the same, or -1: of calls without an answer the first is as good
     * as any other. Of calls that were answered alike, the one that was answered first most often is.
     */
    private int[] twins() {
        int[] before = new int[calls.size()];
        Map<List<Object>, Integer> last = new HashMap<>();
        for (int i : IntStream.range(0, before.length)
                .boxed()
                .sorted(Comparator.comparingLong(this::answerNanos))
                .toList()) {
            boolean mayHaveTwins = undecided.get(i) || inHaste;
            Integer twin = mayHaveTwins ? last.put(wish(calls.get(i)), i) : null;
            before[i] = twin == null ? -1 : twin;
        }
        return before;
    }

    private long answerNanos(int call) {
        return undecided.get(call) ? Operation.FOREVER : calls.get(call).completedNanos();
    }

    private List<Object> wish(Operation call) {
        return List.of(model.wish(call), call.outcome(), call.isDecided() ? call.count() : 0);
    }

    // --- what is said about an impossible history ---

    private Violation violation(int call, long nanos) {
        Operation culprit = calls.get(call);
        long origin = calls.stream().mapToLong(Operation::invokedNanos).min().orElse(0);
        List<LockState> states =
                frontier.places().stream().map(Frontier.Place::state).distinct().toList();
        StringBuilder text = new StringBuilder();
        text.append(String.format("lock '%s' is no %s: #%d is impossible%n", culprit.lock(), model, culprit.number()));
        shown(call, states).forEach(operation -> text.append("  ")
                .append(operation.line(origin))
                .append(operation == culprit ? "   <-- impossible" : "")
                .append('\n'));
        for (LockState state : states) {
            text.append("because ").append(state.text(origin));
            String reason = model.step(state, culprit, nanos).reason();
            text.append(reason.isEmpty() ? "" : ": " + reason).append('\n');
        }
        return new Violation(culprit.lock(), culprit, text.toString().stripTrailing());
    }

    /** The call itself, those open beside it, those that began the present holds, and a few before it. */
    private List<Operation> shown(int call, List<LockState> states) {
        Operation culprit = calls.get(call);
        List<Integer> grants = states.stream().map(LockState::grantedBy).toList();
        List<Operation> before = calls.stream()
                .filter(Operation::isDecided)
                .filter(other -> other != culprit && other.completedNanos() <= culprit.completedNanos())
                .sorted(Comparator.comparingLong(Operation::completedNanos).reversed())
                .limit(LINES_SHOWN / 2)
                .toList();
        Stream<Operation> beside = open.stream().mapToObj(calls::get).limit(LINES_SHOWN);
        Stream<Operation> holding = calls.stream().filter(other -> grants.contains(other.number()));
        return Stream.of(Stream.of(culprit), beside, holding, before.stream())
                .flatMap(each -> each)
                .distinct()
                .sorted(Comparator.comparingLong(Operation::invokedNanos))
                .collect(Collectors.toList());
    }
}
