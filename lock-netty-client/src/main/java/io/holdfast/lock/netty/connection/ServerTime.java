package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * An estimate of the time of a server that refuses {@code TIME} in scripts (rule 135); for one connection, and for as long as that
 * lasts.
 *
 * <p>The first call that is refused asks for the time by a command of its own. Until it is answered nothing else is written: what is
 * refused meanwhile is kept, and goes out in its order, each with the estimate. So an end of a hold never overtakes its beginning.
 *
 * <p>The estimate is what the server said, and the time since its answer came: it is behind the server's clock, by as long as the answer
 * has travelled, and in a virtual machine that was suspended by as long as that lasted. Tokens and courtesies alone are made of it.
 *
 * <p>No other command is answered with a list of two numbers in texts, and one TIME is in flight at a time, so that the answer is its
 * own (rule 70).
 */
final class ServerTime {

    /** Writes a call. */
    interface Writer {

        void write(ScriptCall call, byte flags);
    }

    /** An older one is asked for again, ahead of the next call, which does not wait for it. */
    private static final long OLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int PARTS = 2;
    private static final int MOST_DIGITS = 12;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final String node;
    private final Runtime runtime;
    private final Calls calls;
    private final Runnable ask;
    private final Writer writer;
    private final Queue<Held> held = new ArrayDeque<>();

    private boolean asked;
    private boolean known;
    private long toldMicros;
    private long toldNanos;

    private record Held(ScriptCall call, byte flags, Fault refusal) {}

    /** @param ask writes TIME */
    ServerTime(String node, Runtime runtime, Calls calls, Runnable ask, Writer writer) {
        this.node = node;
        this.runtime = runtime;
        this.calls = calls;
        this.ask = ask;
        this.writer = writer;
    }

    /** The refusal of a call that no estimate can help. */
    static Fault indispensable(Fault refusal) {
        return new Fault(
                refusal.kind(),
                refusal.maybeApplied(),
                refusal.node(),
                refusal.detail()
                        + "; fair locks, elections, read/write locks, semaphores and the failover guard compare deadlines by the server's own"
                        + " time, which no estimate can replace (expected at such a server: plain or fenced locks)");
    }

    /** Whether calls bring the time along. */
    boolean isKnown() {
        return known;
    }

    boolean holdsCalls() {
        return !held.isEmpty();
    }

    /** Asks again, ahead of a call, if that was long ago. */
    void refresh() {
        if (known && runtime.nanos() - toldNanos > OLD_NANOS) {
            ask();
        }
    }

    private void ask() {
        if (!asked) {
            asked = true;
            ask.run();
        }
    }

    long micros() {
        return toldMicros + TimeUnit.NANOSECONDS.toMicros(runtime.nanos() - toldNanos);
    }

    /** Sends a call that was refused again, as soon as the time is known. */
    void bring(ScriptCall call, byte flags, Fault refusal) {
        held.add(new Held(call, flags, refusal));
        if (known) {
            release();
        } else {
            ask();
        }
    }

    private void release() {
        for (Held next = held.poll(); next != null; next = held.poll()) {
            if (next.call.isGivenUp()) {
                calls.fault(next.call, next.refusal);
            } else {
                writer.write(next.call, next.flags);
            }
        }
    }

    /** Ends the calls whose deadline has passed: they were refused, and had no effect. */
    void lookForOverdue(long nowNanos, DeadlineTimer timer) {
        held.removeIf(each -> {
            boolean isOver = each.call.deadlineNanos - nowNanos <= 0;
            if (isOver) {
                calls.fault(each.call, new Fault(Kind.NO_ANSWER, false, node, "the server did not tell its time"));
            } else {
                timer.include(each.call.deadlineNanos);
            }
            return isOver;
        });
    }

    /** The connection has ended. */
    void giveUp(Fault fault) {
        Fault unapplied = new Fault(fault.kind(), false, fault.node(), fault.detail());
        for (Held next = held.poll(); next != null; next = held.poll()) {
            calls.fault(next.call, unapplied);
        }
    }

    /** Whether it is an answer to TIME. */
    static boolean isTime(RespValue reply, long number) {
        return reply.isList() && reply.size() == PARTS && isNumber(reply.get(0)) && isNumber(reply.get(1));
    }

    private static boolean isNumber(RespValue part) {
        String text = part.kind() == RespValue.Kind.BULK ? part.text() : null;
        return text != null
                && !text.isEmpty()
                && text.length() <= MOST_DIGITS
                && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }

    /** TIME has its reply. */
    void told(RespValue reply) {
        asked = false;
        if (reply.isError()) {
            refused(reply);
            return;
        }
        toldMicros = reply.integer(0) * MICROS_PER_SECOND + reply.integer(1);
        known = true;
        toldNanos = runtime.nanos();
        release();
    }

    private void refused(RespValue error) {
        for (Held next = held.poll(); next != null; next = held.poll()) {
            calls.fault(
                    next.call,
                    new Fault(
                            next.refusal.kind(),
                            false,
                            node,
                            next.refusal.detail() + "; nor does it tell the time by TIME: "
                                    + ErrorReplies.detail(error)));
        }
    }
}
