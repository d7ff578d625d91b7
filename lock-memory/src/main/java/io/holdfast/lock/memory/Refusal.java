package io.holdfast.lock.memory;

import io.holdfast.lock.memory.script.ScriptRefusal;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Printable;
import org.luaj.vm2.LuaError;

/** An error that a server would answer a call with, or that the call was told to end with. Nothing of a refused call counts. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    final Fault.Kind kind;
    private final boolean lasting;

    private Refusal(Fault.Kind kind, String words, boolean lasting) {
        super(Printable.message(words), null, false, false);
        this.kind = kind;
        this.lasting = lasting;
    }

    /** A call that was told to fail. */
    static Refusal asTold() {
        return new Refusal(Fault.Kind.UNREACHABLE, "told to fail by InMemoryLocks.fail", true);
    }

    /** What ended a script: the answer of a command, or an error of the script's own. */
    static Refusal of(LuaError error) {
        return error instanceof ScriptRefusal refusal
                ? new Refusal(refusal.kind(), refusal.words(), false)
                : new Refusal(Fault.Kind.SERVER_ERROR, "ERR " + error.getMessage(), false);
    }

    Fault fault(String node) {
        return new Fault(kind, false, node, String.valueOf(getMessage()), lasting);
    }
}
