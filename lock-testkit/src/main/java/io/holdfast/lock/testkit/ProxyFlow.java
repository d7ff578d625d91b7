package io.holdfast.lock.testkit;

import io.holdfast.lock.testkit.ProxyRule.Mode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** One direction of one proxied connection: what has been read and not yet written. Used by the proxy's thread only. */
final class ProxyFlow {
    private static final int READ_BYTES = 64 * 1024;
    private static final int MOST_PENDING_BYTES = 1024 * 1024;

    private final int connection;
    private final Side side;
    private final Deque<Chunk> pending = new ArrayDeque<>();
    private final ByteBuffer scratch = ByteBuffer.allocate(READ_BYTES);
    private final RespScanner scanner = new RespScanner();
    /** The beginning of a message that has not ended yet; only while messages are looked at. */
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    private ProxyRule rule;
    /** A message's beginning has passed before messages were looked at: the rest of it passes, too. */
    private boolean halfPassed;

    private int pendingBytes;
    private long forwarded;
    private long swallowed;
    private boolean sourceEnded;
    private boolean lossy;
    /** Everything is lost from the message on that was judged so; what came before it still arrives. */
    private boolean dead;

    private boolean cut;

    private record Chunk(ByteBuffer bytes, long dueNanos) {}

    /** What the two directions have to know of each other: which replies answer a copy that no client knows of. */
    interface Side {
        /** Hears of every message, once; returns whether it goes on. */
        boolean keeps(boolean push);

        /** A copy follows the message that was heard of last. */
        default void copied() {}

        /** Whether messages have to be looked at, because some of them do not go on. */
        default boolean isAwaitingCopies() {
            return false;
        }
    }

    ProxyFlow(int connection, ProxyRule rule, Side side) {
        this.connection = connection;
        this.rule = rule;
        this.side = side;
    }

    void apply(ProxyRule changed) {
        rule = changed;
        if (rule.mode() == Mode.SWALLOW) {
            loseAll();
        } else if (!looksAtMessages()) {
            enqueue(takeBegun(), System.nanoTime());
        }
    }

    ProxyRule rule() {
        return rule;
    }

    /** While bytes are held, not even the end of the connection is noticed: it could not have arrived either. */
    boolean wantsToRead() {
        return !sourceEnded && !cut && rule.mode() != Mode.HOLD && pendingBytes < MOST_PENDING_BYTES;
    }

    void readFrom(SocketChannel source, long nowNanos) throws IOException {
        scratch.clear();
        int count = source.read(scratch);
        if (count < 0) {
            sourceEnded = true;
            lossy |= rule.mode() == Mode.SWALLOW;
        } else if (count > 0) {
            byte[] bytes = new byte[count];
            scratch.flip().get(bytes);
            receive(bytes, nowNanos);
        }
    }

    private void receive(byte[] bytes, long nowNanos) {
        if (dead || rule.mode() == Mode.SWALLOW) {
            lose(bytes.length);
        } else if (looksAtMessages()) {
            halfPassed |= begun.size() == 0 && !scanner.isAtBoundary();
            receiveMessages(bytes, nowNanos);
        } else {
            enqueue(takeBegun(), nowNanos);
            for (int end = scanner.next(bytes, 0); end >= 0; end = scanner.next(bytes, end)) {
                side.keeps(scanner.isPush());
            }
            enqueue(bytes, nowNanos);
        }
    }

    private boolean looksAtMessages() {
        return rule.judgesFrames() || side.isAwaitingCopies();
    }

    private void receiveMessages(byte[] bytes, long nowNanos) {
        int from = 0;
        for (int end = scanner.next(bytes, 0); end >= 0; end = scanner.next(bytes, from)) {
            messageEnds(Arrays.copyOfRange(bytes, from, end), nowNanos);
            from = end;
            if (cut || dead) {
                lose(bytes.length - from);
                return;
            }
        }
        byte[] rest = Arrays.copyOfRange(bytes, from, bytes.length);
        if (halfPassed) {
            enqueue(rest, nowNanos);
        } else {
            begun.writeBytes(rest);
        }
    }

    private void messageEnds(byte[] end, long nowNanos) {
        boolean kept = side.keeps(scanner.isPush());
        if (halfPassed) {
            halfPassed = false;
            enqueue(end, nowNanos);
            return;
        }
        begun.writeBytes(end);
        byte[] message = takeBegun();
        if (kept) {
            judge(message, nowNanos);
        } else {
            swallowed += message.length;
        }
    }

    private void judge(byte[] message, long nowNanos) {
        FrameFate fate = rule.frames().judge(new Frame(connection, message));
        switch (fate.kind()) {
            case PASS -> enqueue(message, nowNanos + fate.delayNanos());
            case TWICE -> {
                enqueue(message, nowNanos);
                enqueue(message.clone(), nowNanos);
                side.copied();
            }
            case DROP -> swallowed += message.length;
            case INSTEAD -> enqueue(fate.command(), nowNanos);
            case SWALLOW -> {
                lose(message.length);
                dead = true;
            }
            case CUT -> {
                int arriving = Math.min(fate.bytes(), message.length);
                enqueue(Arrays.copyOf(message, arriving), nowNanos);
                swallowed += message.length - arriving;
                cut = true;
            }
        }
    }

    private void enqueue(byte[] bytes, long nowNanos) {
        if (bytes.length > 0) {
            pending.add(new Chunk(ByteBuffer.wrap(bytes), nowNanos + rule.delayNanos()));
            pendingBytes += bytes.length;
        }
    }

    private byte[] takeBegun() {
        byte[] bytes = begun.toByteArray();
        begun.reset();
        return bytes;
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

    /** Whether a message was cut, and what should arrive of it has been written. */
    boolean isCut() {
        return cut && pending.isEmpty();
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
        boolean prompt = rule.delayNanos() == 0 && !rule.judgesFrames();
        return rule.mode() == Mode.FORWARD && (prompt || chunk.dueNanos() - nowNanos <= 0);
    }

    private void loseAll() {
        pending.forEach(chunk -> lose(chunk.bytes().remaining()));
        pending.clear();
        pendingBytes = 0;
        lose(takeBegun().length);
    }

    private void lose(int bytes) {
        swallowed += bytes;
        lossy |= bytes > 0;
    }
}
