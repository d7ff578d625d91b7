package io.holdfast.lock.benchmarks.peer;

import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * The two scripts, sent in turn for many locks over one socket without waiting for each answer: the throughput floor.
 * Half of what may be under way is written while the other half is answered.
 */
public final class PipelinedScripts {

    private static final byte[] EVALSHA = Wire.ascii("EVALSHA");
    private static final byte[] ONE = Wire.ascii("1");
    private static final byte[] TWO = Wire.ascii("2");
    private static final byte[] FREES = Wire.ascii("0");
    private static final byte[] LEASE = Wire.ascii(NaiveLock.LEASE);

    private final URI server;
    private final byte[] acquire;
    private final byte[] release;
    private final byte[][] keys;
    private final byte[][] channels;
    private final byte[] clock = Wire.ascii("pipeline:token");
    private long holds;

    /**
     * @param inFlight how many script calls may be under way
     */
    public PipelinedScripts(URI server, int inFlight) {
        this.server = server;
        this.acquire = Wire.ascii(LockScripts.load(server, "acquire"));
        this.release = Wire.ascii(LockScripts.load(server, "release"));
        int pairs = Math.max(1, inFlight / 4);
        this.keys = new byte[pairs][];
        this.channels = new byte[pairs][];
        for (int i = 0; i < pairs; i++) {
            keys[i] = Wire.ascii("pipeline:{" + i + "}");
            channels[i] = Wire.ascii("pipeline:{" + i + "}:free");
        }
    }

    /** Runs for so long and tells how many locks were taken and released per second. */
    public double operationsPerSecond(long millis) {
        try (Wire wire = new Wire(server)) {
            long operations = 0;
            long startNanos = System.nanoTime();
            send(wire);
            do {
                send(wire);
                receive(wire);
                operations += keys.length;
            } while (System.nanoTime() - startNanos < TimeUnit.MILLISECONDS.toNanos(millis));
            receive(wire);
            operations += keys.length;
            return operations * 1e9 / (System.nanoTime() - startNanos);
        }
    }

    private void send(Wire wire) {
        for (int i = 0; i < keys.length; i++) {
            byte[] field = Wire.ascii("00000000-0000-0000-0000-000000000000:" + i + ':' + ++holds);
            wire.append(EVALSHA, acquire, TWO, keys[i], clock, field, LEASE, ONE);
            wire.append(EVALSHA, release, ONE, keys[i], field, FREES, channels[i]);
        }
        wire.flush();
    }

    private void receive(Wire wire) {
        for (int i = 0; i < 2 * keys.length; i++) {
            if (wire.firstOfList() != 1) {
                throw new IllegalStateException("a pipelined script was refused (expected: granted and released)");
            }
        }
    }
}
