package io.holdfast.lock.engine.multi;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.inspect.Info;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.lock.LockFacade;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Locks that are taken as one. */
public final class MultiLocks {

    private MultiLocks() {}

    public static RLock of(List<RLock> locks) {
        List<EngineLock> members = Members.of("MultiLock", locks);
        String name = members.stream().map(EngineLock::getName).distinct().collect(Collectors.joining("+"));
        Places.checkApart(members);
        return new Composed(name, new MemberOrder(members));
    }

    /** Several locks as one: the members hold the state, this has none. */
    public static final class Composed extends LockFacade<MultiHold, MultiAcquire> {

        private final String name;
        private final MemberOrder order;
        private final List<EngineLock> members;
        private final Object identity;

        Composed(String name, MemberOrder order) {
            this(name, order, order.now());
        }

        private Composed(String name, MemberOrder order, List<EngineLock> members) {
            super(members.get(0).facts, MultiLease.common(members));
            this.name = name;
            this.order = order;
            this.members = members;
            this.identity = members.stream()
                    .<Object>map(member -> List.of(member.facts, member.keys, member.kind))
                    .collect(Collectors.toSet());
        }

        List<EngineLock> members() {
            return members;
        }

        MemberOrder order() {
            return order;
        }

        @Override
        public String whyNoConditions() {
            return "its members can't be given up in one step";
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Composed that && identity.equals(that.identity);
        }

        @Override
        public int hashCode() {
            return identity.hashCode();
        }

        /** Equal for all MultiLocks of the same members: what one of them took, another may give back. */
        Object identity() {
            return identity;
        }

        @Override
        public String getName() {
            return name;
        }

        /** A MultiLock of the members' views, so that it can be a member itself. */
        @Override
        public RLock withLease(Duration lease) {
            List<EngineLock> views =
                    members.stream().map(member -> member.withLease(lease)).toList();
            return new Composed(name, new MemberOrder(views));
        }

        /** A stand-in: every member makes a handle of its own. */
        @Override
        public Owner newOwner() {
            return members.get(0).facts.newOwner();
        }

        @Override
        public MultiAcquire begin(
                Owner owner,
                LeaseTerm lease,
                long waitNanos,
                @Nullable Thread thread,
                Pending<Optional<MultiHold>> result) {
            MultiLease shared = new MultiLease(lease);
            for (EngineLock member : members) {
                member.refuseOwn(owner);
                long collecting = shared.collecting(member.options).millis();
                member.facts.checkLease(member.keys, Math.max(lease.millis(), collecting));
            }
            MultiAcquire all = new MultiAcquire(this, owner, lease, waitNanos, thread, result);
            all.start();
            return all;
        }

        @Override
        public void withdraw(MultiAcquire all) {
            all.withdraw();
        }

        @Override
        public void giveBack(MultiHold granted) {
            granted.giveBack();
        }

        @Override
        public LockHold handle(MultiHold granted) {
            return granted;
        }

        /** Releases what this MultiLock took of each member; a level that the owner took by itself stays. */
        @Override
        public void release(Owner owner, Pending<Done> result) {
            List<EngineLock> backwards = new ArrayList<>(members);
            Collections.reverse(backwards);
            this.<Done, Done>gather(
                    backwards, (member, one) -> member.release(owner, identity, one), ended -> Done.DONE, result);
        }

        @Override
        public void force(Pending<Boolean> result) {
            gather(members, EngineLock::force, freed -> freed.contains(true), result);
        }

        @Override
        public void askWhetherLocked(Pending<Boolean> result) {
            gather(members, EngineLock::askWhetherLocked, locked -> !locked.contains(false), result);
        }

        @Override
        public void askTimeToLive(Pending<Long> result) {
            gather(members, EngineLock::askTimeToLive, Composed::shortest, result);
        }

        @Override
        public void askEverything(Pending<LockInfo> result) {
            gather(members, EngineLock::askEverything, seen -> Info.ofAll(name, seen), result);
        }

        @Override
        public LockTimeoutException notGranted(Duration wait) {
            String nodes = members.stream()
                    .map(member -> member.facts.node())
                    .distinct()
                    .collect(Collectors.joining(", "));
            return Failures.notGranted(name, members.get(0).facts.clientId(), nodes, wait);
        }

        private <T, R> void gather(
                List<EngineLock> asked,
                BiConsumer<EngineLock, Pending<T>> question,
                Function<List<T>, R> view,
                Pending<R> result) {
            Gathering<T, R> gathering = new Gathering<>(asked.size(), view, result);
            for (EngineLock member : asked) {
                question.accept(member, gathering.one());
            }
        }

        /** The shortest time to live; -2 as soon as one is free; -1, no end, counts as the longest. */
        private static long shortest(List<Long> millis) {
            long shortest = -1;
            for (long left : millis) {
                if (left == -2) {
                    return -2;
                }
                if (left >= 0 && (shortest < 0 || left < shortest)) {
                    shortest = left;
                }
            }
            return shortest;
        }

        @Override
        public int holdCount(Owner owner) {
            return members.stream()
                    .mapToInt(member -> member.holdCount(owner))
                    .min()
                    .orElse(0);
        }

        @Override
        public long token(Owner owner) {
            return members.stream()
                    .mapToLong(member -> member.token(owner))
                    .max()
                    .orElse(0);
        }
    }
}
