package io.holdfast.lock.engine.election;

import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.ElectionKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A leader's records at the nodes of a quorum (rule 66). What is said goes to every node at which the leader has its lock, and is said
 * when a majority has confirmed it.
 *
 * <p>A node that had granted the lock under a token of its own is given the term's first; without that, its record would be of
 * another term. One that has missed what was said, or has joined the hold since, hears the newest a little later, for as long as the
 * hold lives. Each node has one request at a time: what is said meanwhile is said after it, the newest only.
 *
 * <p>All of it belongs to the steps of the lock's cell.
 */
final class NodeRecords implements LeaderRecord {

    private static final int LOOKS_PER_LEASE = 12;
    private static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Elections work;
    private final ElectionKeys keys;
    private final Hold hold;
    private final int majority;
    private final List<Node> nodes = new ArrayList<>();
    /** What callers wait for. */
    private final List<Saying> sayings = new ArrayList<>(1);

    private @Nullable Proclamation newest;
    private @Nullable Timer nextLook;
    private boolean ended;

    NodeRecords(Elections work, ElectionKeys keys, Hold hold) {
        this.work = work;
        this.keys = keys;
        this.hold = hold;
        for (Store store : work.facts.stores()) {
            nodes.add(new Node(store));
        }
        this.majority = HoldLeases.majority(nodes.size());
        hold.whenLost(loss -> hold.cell.run(this::look));
    }

    @Override
    public void say(Proclamation said, long dueNanos, Query.Hearer<Boolean> told) {
        hold.cell.run(() -> {
            if (newest == null || said.version() > newest.version()) {
                newest = said;
            } else {
                nodes.forEach(Node::doubt);
            }
            Saying saying = new Saying(said.version(), told);
            sayings.add(saying);
            saying.patience = after(dueNanos - work.facts.nanos(), () -> saying.isLate());
            nodes.forEach(Node::say);
            settle();
            plan();
            endIfQuiet();
        });
    }

    @Override
    public void end() {
        ended = true;
        endIfQuiet();
    }

    /** After the end nothing more is sent: what no node is being asked for is not said any more. */
    private void endIfQuiet() {
        if (ended && nodes.stream().noneMatch(node -> node.asking)) {
            List.copyOf(sayings).forEach(saying -> saying.end(told -> told.answered(false, false)));
            rest();
        }
    }

    private void rest() {
        if (nextLook != null) {
            nextLook.cancel();
            nextLook = null;
        }
    }

    private Timer after(long nanos, Runnable step) {
        return work.facts.runtime().after(Math.max(0, nanos), () -> hold.cell.run(step));
    }

    // --- what nodes have missed ---

    private void plan() {
        if (nextLook == null) {
            long leaseMillis = hold.isWatched() ? hold.watchedLeaseMillis() : hold.longestLeaseMillis();
            long partNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis) / LOOKS_PER_LEASE;
            nextLook = after(Math.max(SHORTEST_LOOK_NANOS, partNanos), this::look);
        }
    }

    private void look() {
        rest();
        if (hold.hasEnded()) {
            ended = true;
            List.copyOf(sayings).forEach(saying -> saying.end(told -> told.answered(false, false)));
        } else {
            nodes.forEach(Node::say);
        }
        if (!ended || !sayings.isEmpty()) {
            plan();
        }
    }

    // --- what is said ---

    /** Tells the callers whose words a majority has; or, where it has refused them for good, why. */
    private void settle() {
        List<LockException> refusals = nodes.stream()
                .flatMap(node -> Optional.ofNullable(node.refusal).stream())
                .toList();
        for (Saying saying : List.copyOf(sayings)) {
            long having =
                    nodes.stream().filter(node -> node.has(saying.version)).count();
            if (having >= majority) {
                saying.end(told -> told.answered(true, false));
            } else if (refusals.size() > nodes.size() - majority) {
                saying.end(told -> told.failed(refusals.get(0)));
            }
        }
    }

    private LockException notSaid() {
        StringJoiner said = new StringJoiner("; ");
        nodes.forEach(node -> said.add(node.store + ": " + node.said));
        return Failures.of(
                Elections.named(keys),
                hold.ownerText(),
                new Fault(Fault.Kind.NO_MAJORITY, true, work.facts.node(), said.toString()));
    }

    /** What one caller has said, and waits for. */
    private final class Saying {

        private final long version;
        private final Query.Hearer<Boolean> told;
        private @Nullable Timer patience;

        Saying(long version, Query.Hearer<Boolean> told) {
            this.version = version;
            this.told = told;
        }

        private void isLate() {
            end(hearer -> {
                if (hold.hasEnded()) {
                    hearer.answered(false, false);
                } else {
                    hearer.failed(notSaid());
                }
            });
        }

        private void end(Consumer<Query.Hearer<Boolean>> how) {
            if (sayings.remove(this)) {
                if (patience != null) {
                    patience.cancel();
                }
                how.accept(told);
                if (ended && sayings.isEmpty()) {
                    rest();
                }
            }
        }
    }

    /** The record at one node. */
    private final class Node {

        private final Store store;
        /** The lease with which the node has the term's token; null for none. */
        private @Nullable StoreLease adopted;
        /** The lease with which it has confirmed what it was told last, and the version of that. */
        private @Nullable StoreLease confirmed;

        private long version;
        /** Whether a request is under way. */
        private boolean asking;
        /** Why it will not do, though it answers. */
        private @Nullable LockException refusal;

        private String said = "not asked";

        Node(Store store) {
            this.store = store;
        }

        private StoreLease lease() {
            return hold.leases.at(store);
        }

        /** Whether it has confirmed this or later words with the lease that the hold has there now. */
        boolean has(long wanted) {
            return confirmed == lease() && version >= wanted && lease().mayBeThere();
        }

        /** The record may have been deleted, or the token overwritten by a late copy of a request: it hears of both once more. */
        void doubt() {
            adopted = null;
            confirmed = null;
        }

        /** Tells it the newest, if it may lack that. */
        void say() {
            Proclamation words = newest;
            StoreLease lease = lease();
            if (words == null || ended || asking || !lease.mayBeThere() || has(words.version())) {
                return;
            }
            asking = true;
            refusal = null;
            if (adopted == lease) {
                proclaim(words, lease);
            } else {
                ask(work.adopt(store, keys, hold), lease, () -> {
                    adopted = lease;
                    proclaim(newest == null ? words : newest, lease);
                });
            }
        }

        private void proclaim(Proclamation words, StoreLease lease) {
            ask(work.proclaim(store, keys, words), lease, () -> {
                said = "it is said there";
                confirmed = lease;
                version = words.version();
                asking = false;
                settle();
                say();
                endIfQuiet();
            });
        }

        private void ask(Query<Boolean> question, StoreLease lease, Runnable whenThere) {
            question.ask(work.facts.nanos() + work.facts.commandNanos(), new Query.Hearer<>() {
                @Override
                public void answered(Boolean holds, boolean repeated) {
                    hold.cell.run(() -> {
                        if (holds) {
                            whenThere.run();
                        } else {
                            isUnknown(lease);
                        }
                    });
                }

                @Override
                public void failed(LockException failure) {
                    hold.cell.run(() ->
                            ended(String.valueOf(failure.getMessage()), Elections.mayPass(failure) ? null : failure));
                }
            });
        }

        /** It may join the hold again; if a majority does not know it, the hold is lost. */
        private void isUnknown(StoreLease lease) {
            adopted = null;
            confirmed = null;
            ended("it does not know the hold", null);
            if (lease == lease() && lease.isGranted()) {
                work.doubt.accept(lease);
            }
        }

        private void ended(String what, @Nullable LockException lasting) {
            said = what;
            refusal = lasting;
            asking = false;
            settle();
            endIfQuiet();
        }
    }
}
