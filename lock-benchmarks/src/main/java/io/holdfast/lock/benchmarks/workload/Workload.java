package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.About;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.List;

/** Something that peers are asked to do, and that is measured. */
public interface Workload {

    About about();

    /** Who can do it; the order is that of the first round. */
    List<PeerKind> peers();

    /** What is practised in it: whoever has done the like before is warm sooner. */
    default String practice() {
        return about().family();
    }

    /** About how long it takes, for the progress display. */
    default long expectedMillis(Effort effort) {
        long turns = effort.rounds() * (effort.roundMillis() + 30) + effort.warmUpMillis() + 100;
        return peers().size() * turns;
    }

    /** Makes everything ready: servers, proxies, processes. */
    Session open(Bench bench);

    /** A workload in progress. */
    interface Session extends AutoCloseable {

        /** One turn of one peer. */
        Sample round(PeerKind peer, Round round);

        /** How often a peer has its turn. */
        default int rounds(PeerKind peer, Effort effort) {
            return effort.rounds();
        }

        /** Whether a peer runs for a while before its first turn. */
        default boolean warmsUp() {
            return true;
        }

        /** Whether commands per operation are to be counted, in a short turn of its own after all others. */
        default boolean countsCommands() {
            return false;
        }

        /** The servers whose commands are counted. */
        default Site site() {
            throw new UnsupportedOperationException("no commands are counted here");
        }

        @Override
        default void close() {}
    }
}
