package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import org.luaj.vm2.LuaError;

/** A command that the server refuses; a script that does not expect it ends. */
final class RefusedError extends LuaError {

    private static final long serialVersionUID = 1L;

    final Fault.Kind kind;
    final String words;

    RefusedError(Fault.Kind kind, String words) {
        super(words);
        this.kind = kind;
        this.words = words;
        // Else the interpreter makes one, and takes its time.
        this.traceback = "";
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
