package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ProxyRule.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/** One direction of one proxied connection: what has been read and not yet written. Used by the proxy's thread only. */
final class ProxyFlow {
    private static final int READ_BYTES = 64 * 1024;
    private static final int MOST_PENDING_BYTES = 1024 * 1024;

    private final Deque<Chunk> pending = new ArrayDeque<>();
    private final ByteBuffer scratch = ByteBuffer.allocate(READ_BYTES);
    private ProxyRule rule;
    private int pendingBytes;
    private long forwarded;
    private long swallowed;
    private boolean sourceEnded;
    private boolean lossy;

    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    ProxyFlow(ProxyRule rule) {
        this.rule = rule;
    }

    void apply(ProxyRule changed) {
        rule = changed;
        if (rule.mode() == Mode.SWALLOW) {
            pending.forEach(chunk -> lose(chunk.bytes().remaining()));
            pending.clear();
            pendingBytes = 0;
        }
    }

    ProxyRule rule() {
        return rule;
    }

    /** While bytes are held, not even the end of the connection is noticed: it could not have arrived either. */
    boolean wantsToRead() {
        return !sourceEnded && rule.mode() != Mode.HOLD && pendingBytes < MOST_PENDING_BYTES;
    }

    void readFrom(SocketChannel source, long nowNanos) throws IOException {
        scratch.clear();
        int count = source.read(scratch);
        if (count < 0) {
            sourceEnded = true;
            lossy |= rule.mode() == Mode.SWALLOW;
        } else if (rule.mode() == Mode.SWALLOW) {
            lose(count);
        } else if (count > 0) {
            byte[] bytes = new byte[count];
            scratch.flip().get(bytes);
            pending.add(new Chunk(ByteBuffer.wrap(bytes), nowNanos + rule.delayNanos()));
            pendingBytes += count;
        }
    }

    /** Writes what is due, as far as the sink takes it. */
    void writeTo(SocketChannel sink, long nowNanos) throws IOException {
        for (Chunk chunk = pending.peek(); chunk != null && isDue(chunk, nowNanos); chunk = pending.peek()) {
            int count = sink.write(chunk.bytes());
            forwarded += count;
            pendingBytes -= count;
            if (chunk.bytes().hasRemaining()) {
                return;
            }
            pending.remove();
        }
    }

    /** Whether bytes are due that the sink did not take. */
    boolean isBlocked(long nowNanos) {
        Chunk next = pending.peek();
        return next != null && isDue(next, nowNanos);
    }

    /** How long until there is something to write, if nothing else happens. */
    long nanosUntilDue(long nowNanos) {
        Chunk next = pending.peek();
        return next == null || rule.mode() != Mode.FORWARD || isDue(next, nowNanos)
                ? Long.MAX_VALUE
                : next.dueNanos() - nowNanos;
    }

    /** Whether the source has ended and the sink should learn it now. */
    boolean isFinished() {
        return sourceEnded && pending.isEmpty() && rule.mode() == Mode.FORWARD && !lossy;
    }

    /** Whether anything was lost, so that this stream can't go on. */
    boolean isLossy() {
        return lossy;
    }

    long forwarded() {
        return forwarded;
    }

    long swallowed() {
        return swallowed;
    }

    private boolean isDue(Chunk chunk, long nowNanos) {
        return rule.mode() == Mode.FORWARD && (rule.delayNanos() == 0 || chunk.dueNanos() - nowNanos <= 0);
    }

    private void lose(int bytes) {
        swallowed += bytes;
        lossy |= bytes > 0;
    }
}
