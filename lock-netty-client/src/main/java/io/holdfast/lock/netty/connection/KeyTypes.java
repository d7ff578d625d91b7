package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.text.Printable;

/**
 * Asks in the place of a call that met a key of a wrong type what its keys are, and ends the call with that: the server's
 * error does not name the key. Where the question is not answered, the call ends with the error as it was.
 */
final class KeyTypes extends ScriptCall {

    private static final Script SCRIPT = Script.urgent(
            "key-types",
            """
            local types = {}
            for _, key in ipairs(KEYS) do
              local type = redis.pcall('TYPE', key).ok or 'none'
              if type ~= 'none' then
                types[#types + 1] = key .. ' is a ' .. type
              end
            end
            return table.concat(types, ', ')
            """);

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
}
