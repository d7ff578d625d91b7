package io.holdfast.lock.memory.script;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaString;

/**
 * A pattern of keys as servers have it: {@code *} any text, {@code ?} one byte, {@code [a-c]} one of several, {@code [^a]} any
 * other, {@code \} the next byte as it is.
 */
final class Glob {

    private final String pattern;
    private final StringBuilder expression = new StringBuilder();
    private int next;

    private Glob(String pattern) {
        this.pattern = pattern;
    }

    static Predicate<LuaString> of(LuaString pattern) {
        Predicate<String> matches = new Glob(bytes(pattern)).compiled().asMatchPredicate();
        return key -> matches.test(bytes(key));
    }

    /** Each byte as one character. */
    private static String bytes(LuaString text) {
        return new String(text.m_bytes, text.m_offset, text.m_length, StandardCharsets.ISO_8859_1);
    }

    private Pattern compiled() {
        while (next < pattern.length()) {
            char character = pattern.charAt(next++);
            switch (character) {
                case '*' -> expression.append(".*");
                case '?' -> expression.append('.');
                case '[' -> oneOf();
                default -> literal(escaped(character));
            }
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    /** The character, or the one that it escapes. */
    private char escaped(char character) {
        return character == '\\' && next < pattern.length() ? pattern.charAt(next++) : character;
    }

    /** Where the end of the class is missing, the pattern's end is it. */
    private void oneOf() {
        boolean other = next < pattern.length() && pattern.charAt(next) == '^';
        next += other ? 1 : 0;
        int start = expression.append(other ? "[^" : "[").length();
        while (next < pattern.length() && pattern.charAt(next) != ']') {
            char from = escaped(pattern.charAt(next++));
            literal(from);
            if (next + 1 < pattern.length() && pattern.charAt(next) == '-') {
                next++;
                char to = escaped(pattern.charAt(next++));
                expression.setLength(expression.length() - 4);
                range((char) Math.min(from, to), (char) Math.max(from, to));
            }
        }
        next++;
        boolean empty = expression.length() == start;
        expression.append(empty ? "\\x00-\\xff]" : "]");
        if (empty && !other) {
            // No byte is one of none.
            expression.append("(?!)");
        }
    }

    private void range(char from, char to) {
        literal(from);
        expression.append('-');
        literal(to);
    }

    private void literal(char character) {
        expression.append(String.format("\\x%02x", (int) character));
    }
}
