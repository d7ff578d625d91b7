package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.nio.charset.StandardCharsets;

/** Reads or sets a node's marker (rule 36), and tells the guard what is there. */
final class MarkerProbe extends ScriptCall {

    private final RestartGuard guard;
    private final NodeMemory node;
    private final byte[] key;

    MarkerProbe(ClientFacts facts, RestartGuard guard, NodeMemory node, Script script, byte[] key) {
        this(facts.runtime().nanos(), facts.commandNanos(), guard, node, script, key);
    }

    private MarkerProbe(
            long sentNanos, long timeoutNanos, RestartGuard guard, NodeMemory node, Script script, byte[] key) {
        super(script, Slots.of(key), sentNanos, sentNanos + timeoutNanos);
        this.guard = guard;
        this.node = node;
        this.key = key;
    }

    /** A marker names the process that it is written to, though another one may have been meant. */
    @Override
    public void encode(Args out) {
        out.key(key);
        if (script == Scripts.MARK) {
            out.arg(run.id().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A node that hangs is like one that can't be reached: that no answer comes is word of it too. */
    @Override
    public void onOverdue() {
        guard.unreachable(node.store);
    }

    @Override
    public void onReply(Reply reply) {
        guard.answered(node, run, reply.text());
    }

    @Override
    public void onFault(Fault fault) {
        guard.failed(node, run, script, fault);
    }
}
