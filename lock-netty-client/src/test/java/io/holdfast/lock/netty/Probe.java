package io.holdfast.lock.netty;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A script call that keeps the books of what it was told, and fails the test when the contract is broken. */
public final class Probe extends ScriptCall {

    public final CompletableFuture<Object> outcome = new CompletableFuture<>();
    public final AtomicInteger encoded = new AtomicInteger();
    public final AtomicInteger overdue = new AtomicInteger();
    public final AtomicInteger answers = new AtomicInteger();

    private final byte[] key;
    private final byte[] argument;

    public Probe(Script script, String key, String argument, long deadlineNanos) {
        super(script, 0, System.nanoTime(), deadlineNanos);
        this.key = key.getBytes(StandardCharsets.UTF_8);
        this.argument = argument.getBytes(StandardCharsets.UTF_8);
    }

    /** The text or the fault that came of it. */
    public Object await() {
        return outcome.orTimeout(20, SECONDS).join();
    }

    public Fault fault() {
        return (Fault) await();
    }

    @Override
    public void encode(Args out) {
        encoded.incrementAndGet();
        out.key(key).arg(argument);
    }

    @Override
    public void onOverdue() {
        overdue.incrementAndGet();
    }

    @Override
    public void onReply(Reply reply) {
        answers.incrementAndGet();
        outcome.complete(reply.isNull() ? "nil" : String.valueOf(reply.text()));
    }

    @Override
    public void onFault(Fault fault) {
        answers.incrementAndGet();
        outcome.complete(fault);
    }
}
