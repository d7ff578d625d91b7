package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.Peer;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.peer.Peers;
import io.holdfast.lock.benchmarks.peer.Transport;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.slf4j.LoggerFactory;

/** A process that connects, takes a lock, and says how long that took and how many threads it needed. */
final class StartUpProgram {

    private StartUpProgram() {}

    public static void main(String[] arguments) {
        // The program's own logging, which has begun before it wants a lock; it takes as long as a client's start.
        LoggerFactory.getLogger(StartUpProgram.class).debug("starting");
        long startNanos = System.nanoTime();
        Peer peer =
                Peers.connect(PeerKind.valueOf(arguments[0]), List.of(arguments[1]), Transport.valueOf(arguments[2]));
        PeerLock lock = peer.lock("start-up-" + arguments[0], HoldMode.WATCHDOG);
        lock.lock();
        long lockedNanos = System.nanoTime() - startNanos;
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        // Before the last line, at which this process is ended: the next one wants the lock.
        lock.unlock();
        System.out.println("locked " + lockedNanos);
        System.out.println("threads " + threads);
        Runtime.getRuntime().halt(0);
    }
}
