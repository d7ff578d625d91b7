package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.netty.resp.ScriptArgs;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;
import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;

/** Writes calls in the forms that the server of one connection takes. */
final class CallWriter {

    private final NumberedScripts numberedScripts;
    private final BooleanSupplier shardsMessages;
    private final ServerTime time;
    private final ScriptArgs scriptArgs = new ScriptArgs();

    CallWriter(NumberedScripts numberedScripts, BooleanSupplier shardsMessages, ServerTime time) {
        this.numberedScripts = numberedScripts;
        this.shardsMessages = shardsMessages;
        this.time = time;
    }

    /** What the server runs. */
    Script form(Script script) {
        Script plain = plainForm(script);
        return time.isKnown() ? numberedScripts.timed(plain) : plain;
    }

    private Script plainForm(Script script) {
        return shardsMessages.getAsBoolean() ? numberedScripts.ofSharded(script) : numberedScripts.of(script);
    }

    /** Whether a script has a form that takes the time. */
    boolean canTakeTime(Script script) {
        Script plain = plainForm(script);
        return numberedScripts.timed(plain) != plain;
    }

    /**
     * Writes a call whole, or nothing of it.
     *
     * @return the flags, and those that tell how it was written
     */
    byte write(ByteBuf out, ScriptCall call, byte flags, long number) {
        String command = call.script.command();
        if (command != null) {
            scriptArgs.command(
                    out, shardsMessages.getAsBoolean() ? command.replace("PUBLISH", "SPUBLISH") : command, call);
            return (byte) (flags | InFlight.PLAIN);
        }
        Script form = form(call.script);
        boolean isTimed = time.isKnown() && form != plainForm(call.script);
        if (isTimed) {
            scriptArgs.bring(time.micros());
        }
        if ((flags & InFlight.WITH_SOURCE) != 0) {
            scriptArgs.eval(out, form, call, number);
        } else {
            scriptArgs.evalsha(out, form, call, number);
        }
        return isTimed ? (byte) (flags | InFlight.TIMED) : flags;
    }

    /** Whether an answer can be that of a command in a call's place: one of SCAN, or of PUBLISH. No other answer is like these. */
    static boolean isOfCommand(RespValue reply) {
        return reply.kind() == RespValue.Kind.INTEGER
                || (reply.isList()
                        && reply.size() == 2
                        && reply.get(0).kind() == RespValue.Kind.BULK
                        && reply.get(1).isList());
    }
}
