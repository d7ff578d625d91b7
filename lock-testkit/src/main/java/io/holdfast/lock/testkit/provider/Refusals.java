package io.holdfast.lock.testkit.provider;

import io.holdfast.lock.testkit.FrameFate;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The rules that profiles are made of. */
final class Refusals {
    private Refusals() {}

    /** Refuses commands; {@code %s} in the error stands for the command's name as it was sent. */
    static ProviderRule of(String error, String... commands) {
        return words -> isAny(words, commands) ? refused(error, words) : FrameFate.PASS;
    }

    /** Refuses all commands but these. */
    static ProviderRule ofAllBut(String error, String... commands) {
        return words -> isAny(words, commands) ? FrameFate.PASS : refused(error, words);
    }

    /** Ends the connection at all commands but these. */
    static ProviderRule disconnectAtAllBut(String... commands) {
        return words -> isAny(words, commands) ? FrameFate.PASS : FrameFate.cutAfter(0);
    }

    /** Does this to calls of scripts that declare no key. */
    static ProviderRule ofKeylessCalls(FrameFate fate) {
        return words -> isCall(words) && words.get(2).equals("0") ? fate : FrameFate.PASS;
    }

    /** Refuses to load and to run scripts that are like this; a script that was never loaded has no digest to be called by. */
    static ProviderRule ofScripts(String error, Predicate<String> like) {
        Map<String, Boolean> known = new HashMap<>();
        return words -> {
            boolean loads = ProviderRule.is(words, "SCRIPT LOAD");
            boolean runs = ProviderRule.is(words, "EVAL");
            return (loads || runs) && known.computeIfAbsent(words.get(loads ? 2 : 1), like::test)
                    ? FrameFate.refused(error)
                    : FrameFate.PASS;
        };
    }

    /** Forgets all scripts before each of so many calls by digest. */
    static ProviderRule forgettingScripts(int everyCalls) {
        int[] calls = new int[1];
        return words -> ProviderRule.is(words, "EVALSHA") && ++calls[0] % everyCalls == 0
                ? FrameFate.instead(List.of("EVALSHA", "0".repeat(40), "0"))
                : FrameFate.PASS;
    }

    /**
     * Lets a command fail when a script calls it. The real server runs another text then, under the digest of the first: it is
     * kept here, and not at the server.
     *
     * @param error a server adds the script's digest and the line
     */
    static ProviderRule ofCommandInScripts(String command, String error) {
        Map<String, String> replaced = new HashMap<>();
        return words -> {
            if (ProviderRule.is(words, "SCRIPT LOAD")) {
                String script = words.get(2);
                String other = without(script, command, error);
                if (other.equals(script)) {
                    return FrameFate.PASS;
                }
                replaced.put(digest(script), other);
                return FrameFate.instead(List.of("EVAL", "return ARGV[1]", "0", digest(script)));
            }
            if (ProviderRule.is(words, "EVALSHA")) {
                String other = replaced.get(words.get(1));
                return other == null ? FrameFate.PASS : running(other, words);
            }
            return ProviderRule.is(words, "EVAL")
                            && !without(words.get(1), command, error).equals(words.get(1))
                    ? running(without(words.get(1), command, error), words)
                    : FrameFate.PASS;
        };
    }

    private static FrameFate running(String script, List<String> words) {
        List<String> call = new ArrayList<>(words);
        call.set(0, "EVAL");
        call.set(1, script);
        return FrameFate.instead(call);
    }

    private static String without(String script, String command, String error) {
        String thrown = "{err='" + error + "'}";
        // A text, since servers before 7.0 can't throw a table.
        return script.replaceAll("redis\\.call\\('" + command + "'[^)]*\\)", "error('" + error + "')")
                .replaceAll("redis\\.pcall\\('" + command + "'[^)]*\\)", "(" + thrown + ")");
    }

    private static String digest(String script) {
        try {
            byte[] bytes = script.getBytes(StandardCharsets.ISO_8859_1);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JVM has SHA-1", e);
        }
    }

    /** Whether it runs a script that is named by its text or its digest. */
    private static boolean isCall(List<String> words) {
        return words.size() > 2 && isAny(words, "EVAL", "EVALSHA");
    }

    private static boolean isAny(List<String> words, String... commands) {
        return List.of(commands).stream().anyMatch(command -> ProviderRule.is(words, command));
    }

    private static FrameFate refused(String error, List<String> words) {
        return FrameFate.refused(error.replace("%s", words.get(0)));
    }
}
