package io.holdfast.lock.engine.kind;

import io.holdfast.lock.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a script as servers get it, made of its file and of those that it shares with others.
 *
 * <p>Some servers run a script only if it names each key as {@code KEYS[n]}, with a number. Files name their keys: the comment
 * {@code -- KEYS: lock, clock} gives their order, and {@code KEYS.lock} becomes {@code KEYS[1]}. A paragraph of a shared file that
 * names a key which the script has not is left out.
 *
 * <p>A script for many objects says {@code ; for each} behind its keys. Its lines between {@code FOR EACH} and {@code END} are
 * repeated, and {@code EACH} is the number of the object.
 */
final class Assembly {

    /** The most objects that one call of such a script may name. */
    static final int MOST = 100;

    private static final String KEYS = "-- KEYS: ";
    private static final String NAMED = "KEYS.";
    private static final String NUMBERED = "KEYS[";
    private static final String FOR_EACH = "-- FOR EACH\n";
    private static final String END = "-- END\n";

    private Assembly() {}

    /** The script of a file, behind what it shares. */
    static String of(String shared, String own) {
        List<String> keys = keys(own);
        String text = leftIn(shared, keys);
        int each = own.indexOf(FOR_EACH);
        return text + (each < 0 ? numberAll(own, keys, 1) : repeated(own, each, keys));
    }

    /** A script of two files, of which the second needs more of what is shared. */
    static String of(String shared, String own, String sharedLater, String later) {
        List<String> keys = keys(own);
        return of(shared, own) + "\n" + leftIn(sharedLater, keys) + numberAll(later, keys, 1);
    }

    private static String leftIn(String shared, List<String> keys) {
        StringBuilder text = new StringBuilder(shared.length());
        for (int from = 0; from < shared.length(); ) {
            int blank = shared.indexOf("\n\n", from);
            int to = blank < 0 ? shared.length() : blank + 2;
            String paragraph = number(shared.substring(from, to), keys, 1);
            text.append(paragraph == null ? "" : paragraph);
            from = to;
        }
        return text.toString();
    }

    private static String repeated(String own, int each, List<String> keys) {
        int end = own.indexOf(END);
        String body = own.substring(each + FOR_EACH.length(), end);
        StringBuilder text = new StringBuilder(own.substring(0, each));
        for (int i = 0; i < MOST; i++) {
            String one = numberAll(body, keys, 1 + i * keys.size());
            text.append("do\n")
                    .append(one.replace("EACH", Integer.toString(1 + i)))
                    .append("end\n");
        }
        return text.append(own, end + END.length(), own.length()).toString();
    }

    /** The text of an assembled script whose keys stand behind another one. */
    static String behindOneKey(String source) {
        StringBuilder text = new StringBuilder(source.length());
        int done = 0;
        for (int at = source.indexOf(NUMBERED); at >= 0; at = source.indexOf(NUMBERED, done)) {
            int digits = at + NUMBERED.length();
            int end = source.indexOf(']', digits);
            text.append(source, done, digits).append(1 + Integer.parseInt(source, digits, end, 10));
            done = end;
        }
        return text.append(source, done, source.length()).toString();
    }

    /** The names behind the first {@code KEYS:}, up to what is no name. */
    private static List<String> keys(String own) {
        int start = own.indexOf(KEYS) + KEYS.length();
        int end = start;
        while (Character.isLetter(own.charAt(end)) || own.startsWith(", ", end)) {
            end += own.charAt(end) == ',' ? 2 : 1;
        }
        return List.of(own.substring(start, end).split(", "));
    }

    private static String numberAll(String text, List<String> keys, int first) {
        String numbered = number(text, keys, first);
        if (numbered == null) {
            throw new IllegalArgumentException(
                    Printable.message("a script names a key that is none of " + keys + ": " + text));
        }
        return numbered;
    }

    /** Null if the text names another key than these. */
    private static @Nullable String number(String text, List<String> keys, int first) {
        StringBuilder numbered = new StringBuilder(text.length());
        int done = 0;
        for (int at = text.indexOf(NAMED); at >= 0; at = text.indexOf(NAMED, done)) {
            int name = at + NAMED.length();
            int end = name;
            while (end < text.length() && Character.isLetter(text.charAt(end))) {
                end++;
            }
            int key = keys.indexOf(text.substring(name, end));
            if (key < 0) {
                return null;
            }
            numbered.append(text, done, at).append(NUMBERED).append(first + key).append(']');
            done = end;
        }
        return numbered.append(text, done, text.length()).toString();
    }
}
