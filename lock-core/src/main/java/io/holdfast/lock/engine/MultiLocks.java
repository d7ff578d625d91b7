package io.holdfast.lock.engine;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.spi.ServerRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Locks that are taken as one. */
final class MultiLocks {

    private MultiLocks() {}

    static RLock of(List<RLock> locks) {
        List<EngineLock> members = new ArrayList<>(Members.of("MultiLock", locks));
        String name = members.stream().map(EngineLock::getName).distinct().collect(Collectors.joining("+"));
        // The same order everywhere: by key first, since a server may be known by different addresses.
        members.sort(Comparator.comparing((EngineLock member) -> member.names.key())
                .thenComparing(member -> member.engine.node()));
        checkDistinct(members);
        return new Composed(name, List.copyOf(members));
    }

    /** One lock by two clients of its server: whoever got it by the one would wait for himself at the other. */
    private static void checkDistinct(List<EngineLock> members) {
        Set<List<Object>> places = new HashSet<>();
        for (EngineLock member : members) {
            List<Object> servers = new ArrayList<>();
            for (Store store : member.engine.stores()) {
                // The server's own id, where it is known: it may be reached by several addresses.
                ServerRun run = store.backend().run();
                servers.add(run.isKnown() ? run.id() : store.node());
            }
            if (!places.add(List.of(servers, member.names.key()))) {
                throw new IllegalArgumentException("MultiLock: lock '" + member.names + "' at " + member.engine.node()
                        + " is there twice, by two clients (expected: different locks)");
            }
        }
    }

    /** Several locks as one: the members hold the state, this has none. */
    static final class Composed extends LockFacade<MultiHold> {

        private final String name;
        private final List<EngineLock> members;

        Composed(String name, List<EngineLock> members) {
            super(members.get(0).engine, members.get(0).options);
            this.name = name;
            this.members = members;
        }

        List<EngineLock> members() {
            return members;
        }

        @Override
        public String getName() {
            return name;
        }

        /** A stand-in: every member makes a handle of its own. */
        @Override
        Owner newHandle() {
            return members.get(0).engine.newHandle();
        }

        @Override
        Runnable begin(
                Owner owner,
                Lease lease,
                long waitNanos,
                @Nullable Thread thread,
                Pending<Optional<MultiHold>> result) {
            MultiAcquire all = new MultiAcquire(name, members, owner, lease, waitNanos, thread, result);
            all.start();
            return all::withdraw;
        }

        @Override
        void giveBack(MultiHold granted) {
            granted.giveBack();
        }

        @Override
        LockHold handle(MultiHold granted) {
            return granted;
        }

        /** Releases every member, if the owner holds or has lost every one of them. */
        @Override
        void release(Owner owner, Pending<Done> result) {
            for (EngineLock member : members) {
                if (member.found(owner) == null) {
                    // Says why, and changes nothing.
                    member.release(owner, result);
                    return;
                }
            }
            List<EngineLock> backwards = new ArrayList<>(members);
            Collections.reverse(backwards);
            this.<Done, Done>gather(backwards, (member, one) -> member.release(owner, one), ended -> Done.DONE, result);
        }

        @Override
        void force(Pending<Boolean> result) {
            gather(members, EngineLock::force, freed -> freed.contains(true), result);
        }

        @Override
        void askWhetherLocked(Pending<Boolean> result) {
            gather(members, EngineLock::askWhetherLocked, locked -> !locked.contains(false), result);
        }

        @Override
        void askTimeToLive(Pending<Long> result) {
            gather(members, EngineLock::askTimeToLive, Composed::shortest, result);
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
        int holdCount(Owner owner) {
            return members.stream()
                    .mapToInt(member -> member.holdCount(owner))
                    .min()
                    .orElse(0);
        }

        @Override
        long token(Owner owner) {
            return members.stream()
                    .mapToLong(member -> member.token(owner))
                    .max()
                    .orElse(0);
        }
    }
}
