package io.holdfast.lock.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that an unknown one was probably meant to be: the one with the fewest letters to change. */
public final class NearestName {

    /** Names are shorter; what is longer is no misspelling. */
    private static final int LONGEST = 100;

    private NearestName() {}

    /** The nearest of some known names; empty if more than half of the letters would have to change. */
    public static Optional<String> of(String unknown, Collection<String> known) {
        String text = unknown.substring(0, Math.min(LONGEST, unknown.length()));
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(text, name)))
                .filter(name -> distance(text, name) <= text.length() / 2);
    }

    /** The same in words that complete a message, or those for a name that is like none. */
    public static String hint(String unknown, Collection<String> known, String otherwise) {
        return of(unknown, known).map(name -> "the nearest is " + name).orElse(otherwise);
    }

    /** How many letters must be put in, left out or replaced to make one of the other; upper and lower case are one. */
    public static int distance(String one, String other) {
        String from = one.toLowerCase(Locale.ROOT);
        String to = other.toLowerCase(Locale.ROOT);
        int[] before = new int[to.length() + 1];
        int[] now = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            now[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] spare = before;
            before = now;
            now = spare;
            now[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
            }
        }
        return now[to.length()];
    }
}
