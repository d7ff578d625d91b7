package io.holdfast.lock.text;

import org.jspecify.annotations.Nullable;

/**
 * Foreign text as log lines and messages show it: on one line, in visible characters, and short.
 *
 * <p>Names come from users and from those that they serve, errors and versions from a peer, names of threads from anywhere.
 * Raw, they could begin a line of the log that is none of ours, turn the order of what is read, or fill a disk. What is
 * a letter, a digit, a sign or a symbol in any language stays as it is. The rest, {@code \n} for one, becomes
 * {@code \}{@code u000a}.
 *
 * <p>A backslash stays a backslash, so that a text which is shown twice, by itself and then within a message, looks as
 * if it were shown once.
 */
public final class Printable {

    /** The length of a name, or of what a peer says: whole sentences of a server fit in. */
    private static final int LONGEST_PIECE = 300;

    /** The length of a message with such texts in it: what each of five nodes has said fits in. */
    private static final int LONGEST_MESSAGE = 2_000;

    private static final String CUT = "...";

    private Printable() {}

    /** A name, or the words of a peer. */
    public static String of(@Nullable Object text) {
        return printable(String.valueOf(text), LONGEST_PIECE);
    }

    /** A message that is put together of several texts. */
    public static String message(@Nullable Object text) {
        return printable(String.valueOf(text), LONGEST_MESSAGE);
    }

    private static String printable(String text, int longest) {
        if (text.length() <= longest && isVisible(text)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        int end = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            append(shown, character);
            if (shown.length() > longest) {
                shown.setLength(end);
                return shown.append(CUT).toString();
            }
            if (shown.length() <= longest - CUT.length()) {
                end = shown.length();
            }
        }
        return shown.toString();
    }

    private static boolean isVisible(String text) {
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            if (!isVisible(character)) {
                return false;
            }
            i += Character.charCount(character);
        }
        return true;
    }

    private static boolean isVisible(int character) {
        if (character >= ' ' && character <= '~') {
            return true;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static void append(StringBuilder shown, int character) {
        if (isVisible(character)) {
            shown.appendCodePoint(character);
            return;
        }
        for (char unit : Character.toChars(character)) {
            shown.append(String.format("\\u%04x", (int) unit));
        }
    }
}
