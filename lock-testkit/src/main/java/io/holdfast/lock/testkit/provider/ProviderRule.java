package io.holdfast.lock.testkit.provider;

import io.holdfast.lock.testkit.FrameFate;
import java.util.List;
import java.util.Locale;

/** What becomes of a request. A rule may remember earlier requests; the proxy's thread alone asks it. */
@FunctionalInterface
interface ProviderRule {
    /**
     * The fate of one request; {@link FrameFate#PASS} leaves it to the next rule.
     *
     * @param words the command and its arguments, each byte as one character
     */
    FrameFate judge(List<String> words);

    /** The name of the command, in capitals. */
    static String command(List<String> words) {
        return words.get(0).toUpperCase(Locale.ROOT);
    }

    /** Whether a command is this one; {@code CLIENT PAUSE} names a subcommand. */
    static boolean is(List<String> words, String named) {
        int blank = named.indexOf(' ');
        if (blank < 0) {
            return words.get(0).equalsIgnoreCase(named);
        }
        return words.size() > 1
                && words.get(0).equalsIgnoreCase(named.substring(0, blank))
                && words.get(1).equalsIgnoreCase(named.substring(blank + 1));
    }
}
