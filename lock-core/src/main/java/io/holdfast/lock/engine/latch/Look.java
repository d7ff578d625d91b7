package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One look in flight: at the only store, or at all nodes of a quorum.
 *
 * <p>Over nodes it is over as soon as the answers decide what is seen, whatever the others would say; without that, when all
 * have answered or had their time: a command timeout, or the node timeout where a majority has answered. So no answer counts
 * together with one that came much later. A node that has let that time pass is not asked before it has answered.
 *
 * <p>Belongs to the steps of its watch.
 */
abstract class Look {

    final Watch watch;
    final long sentNanos;

    Look(Watch watch) {
        this.watch = watch;
        this.sentNanos = watch.facts.nanos();
    }

    /** @param owing the nodes that owe an answer */
    static Look of(Watch watch, BitSet owing) {
        return watch.facts.isQuorum() ? new AtNodes(watch, owing) : new AtStore(watch);
    }

    abstract void send();

    /** One store is asked. What it answers is told within the gate. */
    abstract class Part extends ScriptCall {

        Part() {
            super(
                    watch.watched.script(),
                    watch.watched.slot(),
                    Look.this.sentNanos,
                    Look.this.sentNanos + watch.facts.commandNanos());
        }

        @Override
        public final void encode(Args out) {
            watch.watched.write(out);
        }

        @Override
        public final void onReply(Reply reply) {
            Object seen = watch.watched.read(reply);
            watch.run(() -> saw(seen));
        }

        @Override
        public final void onFault(Fault fault) {
            watch.run(() -> met(fault));
        }

        abstract void saw(Object seen);

        abstract void met(Fault fault);
    }

    /** At the only store. */
    private static final class AtStore extends Look {

        AtStore(Watch watch) {
            super(watch);
        }

        @Override
        void send() {
            watch.facts.stores().get(0).backend().send(new Part() {

                /** The answer may still come, and the outage is counted elsewhere. */
                @Override
                public void onOverdue() {}

                @Override
                void saw(Object seen) {
                    watch.answered(AtStore.this, seen);
                }

                @Override
                void met(Fault fault) {
                    watch.met(fault);
                }
            });
        }
    }

    /** At all nodes of a quorum. */
    private static final class AtNodes extends Look {

        private final BitSet owing;
        private final List<Store> nodes;
        private final int majority;
        private final List<Object> seen = new ArrayList<>();
        private final List<Fault> faults = new ArrayList<>();
        private @Nullable Timer patience;
        /** Whether those that are not needed have had their time. */
        private boolean late;

        private boolean over;

        AtNodes(Watch watch, BitSet owing) {
            super(watch);
            this.owing = owing;
            this.nodes = watch.facts.stores();
            this.majority = HoldLeases.majority(nodes.size());
        }

        @Override
        void send() {
            patience = watch.facts
                    .runtime()
                    .after(
                            watch.all.nodeTimeoutNanos(),
                            () -> watch.run(() -> {
                                late = true;
                                decide();
                            }));
            boolean enoughAnswer = nodes.size() - owing.cardinality() >= majority;
            for (Store node : nodes) {
                if (owing.get(node.index())) {
                    faults.add(Failures.noAnswer(node.node(), false));
                } else if (enoughAnswer) {
                    node.backend().send(new AtNode(node));
                }
            }
            // Where too few nodes are asked, nothing else would end it.
            watch.run(this::decide);
        }

        private void decide() {
            if (over) {
                return;
            }
            Optional<Object> agreed = watch.watched.agreed(seen, nodes.size());
            if (agreed.isPresent()) {
                end();
                watch.answered(this, agreed.get());
            } else if (seen.size() + faults.size() == nodes.size()
                    || faults.size() > nodes.size() - majority
                    || (late && seen.size() >= majority)) {
                end();
                watch.met(undecided());
            }
        }

        private void end() {
            over = true;
            if (patience != null) {
                patience.cancel();
            }
        }

        /** What does not pass by itself, where that is why there is no majority; else that there is none. */
        private Fault undecided() {
            List<Fault> hopeless =
                    faults.stream().filter(fault -> !fault.mayPass()).toList();
            if (hopeless.size() > nodes.size() - majority) {
                return hopeless.get(0);
            }
            StringJoiner said = new StringJoiner("; ");
            said.add("what " + seen.size() + " of " + nodes.size() + " nodes say does not decide it");
            faults.forEach(fault -> said.add(fault.node() + ": " + fault.kind() + ": " + fault.detail()));
            return new Fault(Fault.Kind.NO_MAJORITY, false, watch.facts.node(), said.toString());
        }

        /** One of them. */
        private final class AtNode extends Part {

            private final Store node;
            private boolean counted;

            AtNode(Store node) {
                this.node = node;
            }

            /** It counts as silent from now on. */
            @Override
            public void onOverdue() {
                watch.run(() -> {
                    owing.set(node.index());
                    count(null, Failures.noAnswer(node.node(), false));
                });
            }

            @Override
            void saw(Object what) {
                owing.clear(node.index());
                count(what, null);
            }

            @Override
            void met(Fault fault) {
                owing.clear(node.index());
                count(null, fault);
            }

            private void count(@Nullable Object what, @Nullable Fault fault) {
                if (counted) {
                    return;
                }
                counted = true;
                if (what != null) {
                    seen.add(what);
                } else if (fault != null) {
                    faults.add(fault);
                }
                decide();
            }
        }
    }
}
