package io.holdfast.lock.netty.resp;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import java.util.function.Consumer;

/** A call that is only ever encoded. */
final class TestCall extends ScriptCall {

    private final Consumer<Args> encoder;

    private TestCall(Script script, Consumer<Args> encoder) {
        super(script, 0, 0, Long.MAX_VALUE);
        this.encoder = encoder;
    }

    static TestCall of(Script script, Consumer<Args> encoder) {
        return new TestCall(script, encoder);
    }

    @Override
    public void encode(Args out) {
        encoder.accept(out);
    }

    @Override
    public void onOverdue() {
        throw new AssertionError("only encoding is tested");
    }

    @Override
    public void onReply(Reply reply) {
        throw new AssertionError("only encoding is tested");
    }

    @Override
    public void onFault(Fault fault) {
        throw new AssertionError("only encoding is tested");
    }
}
