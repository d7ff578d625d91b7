package io.holdfast.lock.netty.topology;

import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A call whose own code fails half-way through its arguments. */
final class Unwritable extends ScriptCall {

    final CompletableFuture<Fault> fault = new CompletableFuture<>();

    Unwritable(long deadlineNanos) {
        super(TestNode.ECHO, 0, System.nanoTime(), deadlineNanos);
    }

    @Override
    public void encode(Args out) {
        out.key("key".getBytes(StandardCharsets.UTF_8)).arg(1);
        throw new IllegalStateException("a defect for the test");
    }

    @Override
    public void onOverdue() {
        fault.completeExceptionally(new AssertionError("overdue, but never written"));
    }

    @Override
    public void onReply(Reply reply) {
        fault.completeExceptionally(new AssertionError("answered, but never written"));
    }

    @Override
    public void onFault(Fault reason) {
        fault.complete(reason);
    }
}
