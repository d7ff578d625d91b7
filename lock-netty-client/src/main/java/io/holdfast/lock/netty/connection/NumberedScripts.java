package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Script;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbered form of each script: the same script, whose answer says which request it answers (rule 70).
 *
 * <p>The form takes the request's number, which is its last argument, away from the arguments, runs the script's own
 * source as a function, and returns {@code {number, answer}}. The source begins on the first line, so that lines in
 * error texts are the script's own; it sees its own arguments and nothing else. An answer of {@code nil} becomes {@code
 * false}, which servers send as null too: it would end the list before it.
 */
public final class NumberedScripts {

    private static final String BEFORE = "return {tonumber(table.remove(ARGV)), (function() ";
    private static final String AFTER = "\nend)() or false}";

    private final Map<Script, Script> numbered = new HashMap<>();

    /** The numbered form of a script; the same at every call. */
    public Script of(Script script) {
        return numbered.computeIfAbsent(script, NumberedScripts::number);
    }

    private static Script number(Script script) {
        return new Script(script.name(), BEFORE + script.source() + AFTER);
    }
}
