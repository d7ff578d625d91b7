package io.holdfast.lock.memory.script;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.text.Printable;
import java.util.Arrays;
import org.luaj.vm2.LuaError;

/** An error that a server answers a command or a script with. What the script has written before it stays. */
public final class ScriptRefusal extends LuaError {

    private static final long serialVersionUID = 1;

    private final Fault.Kind kind;
    private final String words;

    public ScriptRefusal(Fault.Kind kind, String words) {
        super(Printable.message(words));
        this.kind = kind;
        this.words = words;
        // Else the interpreter makes one, and takes its time.
        this.traceback = "";
    }

    /** An error whose first word says of which kind it is. */
    static ScriptRefusal of(String words) {
        String code = words.replaceFirst(" .*", "");
        return new ScriptRefusal(
                Arrays.stream(Fault.Kind.values())
                        .filter(kind -> kind.name().equals(code))
                        .findFirst()
                        .orElse(Fault.Kind.SERVER_ERROR),
                words);
    }

    static ScriptRefusal wrongType() {
        return of("WRONGTYPE Operation against a key holding the wrong kind of value");
    }

    public Fault.Kind kind() {
        return kind;
    }

    /** What the server says. */
    public String words() {
        return words;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
