package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Script;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The numbered form of each script: the same script, whose answer says which request it answers (rule 70).
 *
 * <p>The form takes the request's number, which is its last argument, away from the arguments, runs the script's own
 * source as a function, and returns {@code {number, answer}}. The source begins on the first line, so that lines in
 * error texts are the script's own; it sees its own arguments and nothing else. An answer of {@code nil} becomes {@code
 * false}, which servers send as null too: it would end the list before it.
 *
 * <p>At a node that shards messages, a script that publishes does so for the slot's listeners there, and counts those: its
 * {@code PUBLISH} becomes {@code SPUBLISH}. How messages travel is the transport's matter, which subscribes accordingly.
 *
 * <p>Where the server refuses {@code TIME} in scripts, a script that needs the time for tokens and courtesies alone takes it as an
 * argument, before the number (rule 135). One that compares deadlines says so by its comment {@code -- DEADLINES}, and has no such form.
 */
public final class NumberedScripts {

    private static final String BEFORE = "return {tonumber(table.remove(ARGV)), (function() ";
    private static final String AFTER = "\nend)() or false}";

    private static final String BEFORE_TIMED =
            "return {tonumber(table.remove(ARGV)), (function() local passed = table.remove(ARGV) ";
    private static final Pattern ASKED = Pattern.compile("local time = \\S+'TIME'\\)\n    micros =");
    private static final String PASSED = "local time = {0, passed}\n    micros =";
    private static final String TIME = "'TIME'";
    private static final String DEADLINES = "-- DEADLINES";

    private final Map<Script, Script> numbered = new HashMap<>();
    private final Map<Script, Script> sharded = new HashMap<>();
    /** By the numbered form. */
    private final Map<Script, Script> timed = new HashMap<>();

    /** The numbered form of a script; the same at every call. */
    public Script of(Script script) {
        return numbered.computeIfAbsent(script, each -> number(each, each.source()));
    }

    /** The numbered form for a node that shards messages; the same at every call. */
    public Script ofSharded(Script script) {
        Script known = sharded.get(script);
        if (known == null) {
            known = tells(script) ? number(script, sharded(script)) : of(script);
            sharded.put(script, known);
        }
        return known;
    }

    /**
     * The form of a numbered form that takes the server's time as an argument: itself if it needs none, or must not do with an
     * estimate.
     */
    Script timed(Script form) {
        return timed.computeIfAbsent(form, NumberedScripts::takeTime);
    }

    private static Script takeTime(Script form) {
        String source = form.source();
        String passed =
                BEFORE_TIMED + ASKED.matcher(source.substring(BEFORE.length())).replaceFirst(PASSED);
        boolean asks = passed.contains(PASSED) && !source.contains(DEADLINES) && !passed.contains(TIME);
        return asks ? new Script(form.name(), passed) : form;
    }

    /** Whether a script may ask for the time. */
    static boolean asksForTime(Script script) {
        return script.source().contains(TIME);
    }

    /** Whether a script publishes, or counts listeners. */
    public static boolean tells(Script script) {
        return script.source().contains("pcall('PUB");
    }

    private static String sharded(Script script) {
        return script.source().replace("'PUBLISH'", "'SPUBLISH'").replace("'NUMSUB'", "'SHARDNUMSUB'");
    }

    private static Script number(Script script, String source) {
        return new Script(script.name(), BEFORE + source + AFTER);
    }
}
