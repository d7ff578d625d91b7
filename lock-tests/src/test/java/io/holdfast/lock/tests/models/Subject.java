package io.holdfast.lock.tests.models;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A model with all its bounds and all its rules.
 *
 * @param <R> the rules
 * @param <B> the bounds
 */
final class Subject<R extends Enum<R> & Rule, B extends Enum<B> & Bounds> {
    /** Every model. */
    static final List<Subject<?, ?>> ALL = List.of(
            new Subject<>("RedLock", RedLockRule.class, RedLockBounds.class, RedLockModel::new),
            new Subject<>("RedLock joins", JoinRule.class, JoinBounds.class, JoinModel::new),
            new Subject<>("RedLock tokens", TokenRule.class, TokenBounds.class, TokenModel::new),
            new Subject<>("RedLock halves", HalvesRule.class, HalvesBounds.class, HalvesModel::new),
            new Subject<>("node permits", NodePermitsRule.class, NodePermitsBounds.class, NodePermitsModel::new),
            new Subject<>("restarts", RestartRule.class, RestartBounds.class, RestartModel::new),
            new Subject<>("failover", FailoverRule.class, FailoverBounds.class, FailoverModel::new),
            new Subject<>("repeats", RepeatRule.class, RepeatBounds.class, RepeatModel::new),
            new Subject<>("one server", ServerRule.class, ServerBounds.class, ServerModel::new),
            new Subject<>("waiting", WaitingRule.class, WaitingBounds.class, WaitingModel::new),
            new Subject<>("queue", QueueRule.class, QueueBounds.class, QueueModel::new),
            new Subject<>("releases", ReleaseRule.class, ReleaseBounds.class, ReleaseModel::new),
            new Subject<>("latch", LatchRule.class, LatchBounds.class, LatchModel::new),
            new Subject<>("election", ElectionRule.class, ElectionBounds.class, ElectionModel::new),
            new Subject<>("node elections", NodeElectionRule.class, NodeElectionBounds.class, NodeElectionModel::new),
            new Subject<>("condition", ConditionRule.class, ConditionBounds.class, ConditionModel::new),
            new Subject<>("changeover", ChangeoverRule.class, ChangeoverBounds.class, ChangeoverModel::new),
            new Subject<>("slot move", MoveRule.class, MoveBounds.class, MoveModel::new),
            new Subject<>("hand-over", HandOverRule.class, HandOverBounds.class, HandOverModel::new),
            new Subject<>("turns", TurnsRule.class, TurnsBounds.class, TurnsModel::new),
            new Subject<>("node turns", NodeTurnsRule.class, NodeTurnsBounds.class, NodeTurnsModel::new));

    /** More states than the largest model has. */
    private static final int LIMIT = 20_000_000;

    private final String name;
    private final Class<R> rules;
    private final Class<B> bounds;
    private final BiFunction<Set<R>, B, Model<?>> model;

    private Subject(String name, Class<R> rules, Class<B> bounds, BiFunction<Set<R>, B, Model<?>> model) {
        this.name = name;
        this.rules = rules;
        this.bounds = bounds;
        this.model = model;
    }

    String name() {
        return name;
    }

    List<R> rules() {
        return Arrays.asList(rules.getEnumConstants());
    }

    List<B> bounds(boolean isLong) {
        return Arrays.stream(bounds.getEnumConstants())
                .filter(bound -> bound.isLong() == isLong)
                .toList();
    }

    Exploration withAllRules(Bounds within) {
        return Explorer.explore(model.apply(EnumSet.allOf(rules), bounds.cast(within)), LIMIT);
    }

    Exploration without(Rule rule) {
        Set<R> others = EnumSet.complementOf(EnumSet.of(rules.cast(rule)));
        return Explorer.explore(model.apply(others, bounds.cast(rule.leftOut().bounds())), LIMIT);
    }
}
