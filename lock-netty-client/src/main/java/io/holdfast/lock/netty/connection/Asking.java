package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** ASKING, which lets the next command in at a node that its slot is on its way to. */
final class Asking implements Control {

    private final Consumer<@Nullable RespValue> outcome;

    /** @param outcome hears of the refusal; of null, if there is none */
    Asking(Consumer<@Nullable RespValue> outcome) {
        this.outcome = outcome;
    }

    @Override
    public boolean isAnswer(RespValue reply, long number) {
        return "OK".equals(reply.text());
    }

    @Override
    public void answered() {
        outcome.accept(null);
    }

    @Override
    public void refused(RespValue error) {
        outcome.accept(error);
    }
}
