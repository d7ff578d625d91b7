package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.address.Whereabouts;
import io.holdfast.lock.netty.connection.ErrorReplies;
import io.holdfast.lock.netty.connection.Inquiry;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.text.Printable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the map of a cluster's slots: one round of questions at a time, and one a second at most, however often it is
 * wanted. A round asks one node after the other until one has answered; a node that leaves it waiting gets company.
 *
 * <p>While no round has had an answer, it is repeated, with growing pauses. Belongs to the event loop.
 */
final class MapKeeper {

    private static final Logger log = LoggerFactory.getLogger(MapKeeper.class);

    /** Who is told. */
    interface Listener {

        void heard(SlotMap map);

        /** No node has answered; another round follows. */
        void unheard(Fault fault);
    }

    /** At most one round in such a time. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MOST_DOUBLINGS = 1;
    /** After so long without an answer another node is asked as well. */
    private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** What a lying node can make a client ask. */
    private static final int MOST_ASKED = 64;

    private final EventLoop loop;
    private final Runtime runtime;
    private final ClusterNetwork network;
    private final List<Target.Host> seeds;
    private final Listener listener;

    /** The primaries of the latest map. */
    private final Set<Target.Host> known = new LinkedHashSet<>();
    /** The node that is asked first: it says that it is the primary of slots which the map gives to others. */
    private Target.@Nullable Host first;

    private @Nullable Round round;
    private @Nullable ScheduledFuture<?> next;
    private boolean wanted;
    private boolean everBegun;
    private long begunNanos;
    private int failures;
    private boolean closed;

    MapKeeper(EventLoop loop, Runtime runtime, ClusterNetwork network, List<Target.Host> seeds, Listener listener) {
        this.loop = loop;
        this.runtime = runtime;
        this.network = network;
        this.seeds = List.copyOf(seeds);
        this.listener = listener;
    }

    /** Wants a map that is not older than this. */
    void ask() {
        wanted = true;
        if (round == null && next == null && !closed) {
            beginOrWait(PAUSE_NANOS);
        }
    }

    /** The same, of a node that knows more than others. */
    void ask(Target.Host knowing) {
        first = knowing;
        ask();
    }

    void close() {
        closed = true;
        if (next != null) {
            next.cancel(false);
        }
        if (round != null) {
            round.end();
        }
    }

    private void beginOrWait(long pauseNanos) {
        long leftNanos = begunNanos + pauseNanos - runtime.nanos();
        if (!everBegun || leftNanos <= 0) {
            begin();
        } else {
            next = loop.schedule(this::begin, leftNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void begin() {
        next = null;
        wanted = false;
        everBegun = true;
        begunNanos = runtime.nanos();
        round = new Round(candidates());
        round.askNext();
    }

    /** The nodes to ask: the one that knows more, the primaries in turn, and those that the user has named. */
    private Queue<Candidate> candidates() {
        Queue<Candidate> candidates = new ArrayDeque<>();
        Set<Target.Host> taken = new LinkedHashSet<>();
        if (first != null && taken.add(first)) {
            candidates.add(new Candidate(first, false));
            first = null;
        }
        List<Target.Host> primaries = new ArrayList<>(known);
        int start = primaries.isEmpty() ? 0 : (int) runtime.random(primaries.size());
        for (int i = 0; i < primaries.size(); i++) {
            Target.Host primary = primaries.get((start + i) % primaries.size());
            if (taken.add(primary)) {
                candidates.add(new Candidate(primary, false));
            }
        }
        for (Target.Host seed : seeds) {
            if (taken.add(seed)) {
                candidates.add(new Candidate(seed, true));
            }
        }
        return candidates;
    }

    private void roundEnded(@Nullable SlotMap map, Fault fault) {
        round = null;
        if (closed) {
            return;
        }
        if (map == null) {
            log.debug("No node has told which node is the primary of which slot: {}", fault);
            long pause = PAUSE_NANOS << Math.min(failures++, MOST_DOUBLINGS);
            beginOrWait(pause);
            listener.unheard(fault);
            return;
        }
        failures = 0;
        known.clear();
        map.primaries().stream().limit(MOST_ASKED).forEach(known::add);
        if (wanted) {
            beginOrWait(PAUSE_NANOS);
        }
        listener.heard(map);
    }

    /** @param isSeed whether the user has named it, and not another node */
    private record Candidate(Target.Host host, boolean isSeed) {

        String node() {
            return Printable.of(host.node());
        }
    }

    /** Questions to some nodes, of which one has to answer. */
    private final class Round {

        private final Queue<Candidate> left;
        private final List<Whereabouts.Search> open = new ArrayList<>();
        private int unanswered;
        private @Nullable ScheduledFuture<?> patience;
        private Fault latest;
        private boolean over;

        Round(Queue<Candidate> candidates) {
            this.left = candidates;
            this.latest =
                    new Fault(Kind.UNREACHABLE, false, candidates.element().node(), "not asked");
        }

        /** Asks the next node, if there is one. */
        void askNext() {
            if (over) {
                return;
            }
            if (patience != null) {
                patience.cancel(false);
                patience = null;
            }
            Candidate candidate = left.poll();
            if (candidate == null) {
                if (unanswered == 0) {
                    end();
                    roundEnded(null, latest);
                }
                return;
            }
            unanswered++;
            patience = loop.schedule(this::askNext, ALONE_NANOS, TimeUnit.NANOSECONDS);
            ask(candidate, true);
        }

        private void ask(Candidate candidate, boolean shards) {
            Answer answer = new Answer(candidate, shards);
            String form = shards ? "SHARDS" : "SLOTS";
            open.add(network.ask(candidate.host, candidate.isSeed, failures > 0, answer, "CLUSTER", form));
        }

        void end() {
            over = true;
            if (patience != null) {
                patience.cancel(false);
            }
            open.forEach(Whereabouts.Search::cancel);
        }

        private void failed(Fault fault) {
            unanswered--;
            latest = fault;
            askNext();
        }

        private final class Answer implements Inquiry.Asker {

            private final Candidate candidate;
            private final boolean shards;

            Answer(Candidate candidate, boolean shards) {
                this.candidate = candidate;
                this.shards = shards;
            }

            @Override
            public void answered(Inquiry.Answers answers) {
                if (over) {
                    return;
                }
                RespValue answer = answers.values().get(0);
                String node = candidate.node();
                if (answer.isError()) {
                    if (shards && !isWithoutCluster(answer)) {
                        // Before 7.0 there are no shards; or the user may not ask for them.
                        ask(candidate, false);
                    } else {
                        failed(refusal(node, answer));
                    }
                    return;
                }
                try {
                    SlotMap map = shards
                            ? SlotMap.ofShards(answer, candidate.host, network.isOverTls())
                            : SlotMap.ofSlots(answer, candidate.host);
                    if (map.ranges().isEmpty()) {
                        failed(new Fault(Kind.CLUSTERDOWN, false, node, "this node knows no primary of any slot"));
                    } else {
                        end();
                        roundEnded(map, latest);
                    }
                } catch (UnexpectedReplyException unreadable) {
                    failed(new Fault(Kind.PROTOCOL, false, node, String.valueOf(unreadable.getMessage())));
                }
            }

            @Override
            public void failed(Fault fault) {
                if (!over) {
                    Round.this.failed(fault);
                }
            }
        }
    }

    private static boolean isWithoutCluster(RespValue error) {
        return error.errorText().contains("cluster support disabled");
    }

    private static Fault refusal(String node, RespValue error) {
        if (isWithoutCluster(error)) {
            return new Fault(
                    Kind.SERVER_ERROR,
                    false,
                    node,
                    "this server is not part of a cluster (expected: a node of one, or redis:// for a server alone)");
        }
        return ErrorReplies.isAbsent(error)
                ? new Fault(
                        Kind.SERVER_ERROR,
                        false,
                        node,
                        "this server has no command CLUSTER SLOTS, as a Sentinel has none (expected: a node of a cluster, or"
                                + " redis-sentinel:// and the name of the primary)")
                : ErrorReplies.fault(node, error);
    }
}
