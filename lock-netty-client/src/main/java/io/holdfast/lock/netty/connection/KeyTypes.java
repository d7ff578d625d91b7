package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Asks in the place of a call that met a key of a wrong type what its keys are, and ends the call with that: the server's
 * error does not name the key. Where the question is not answered, the call ends with the error as it was.
 */
final class KeyTypes extends ScriptCall {

    private static final Script SCRIPT = Script.urgent("types", read("types.lua"));

    private final ScriptCall call;
    private final Fault wrongType;

    KeyTypes(ScriptCall call, Fault wrongType) {
        super(SCRIPT, call.slot, call.sentNanos, call.deadlineNanos);
        this.call = call;
        this.wrongType = wrongType;
        this.run = call.run;
    }

    /** The call's arguments travel with its keys, and the script leaves them alone. */
    @Override
    public void encode(Args out) {
        call.encode(out);
    }

    @Override
    public void onOverdue() {
        call.onOverdue();
    }

    @Override
    public void onReply(Reply reply) {
        String types = reply.text();
        call.onFault(
                types == null || types.isEmpty()
                        ? wrongType
                        : new Fault(
                                wrongType.kind(),
                                wrongType.maybeApplied(),
                                wrongType.node(),
                                wrongType.detail() + " (" + Printable.message(types) + ')'));
    }

    @Override
    public void onFault(Fault unanswered) {
        call.onFault(wrongType);
    }

    private static String read(String file) {
        try (InputStream in = KeyTypes.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from the jar of lock-netty-client");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + file + " cannot be read", unreadable);
        }
    }
}
