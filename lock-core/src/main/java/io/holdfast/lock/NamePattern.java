package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A pattern of names. It is matched here and not by the server: there a pattern with many stars may take longer than the world
 * stands, and knows bytes in place of characters. Here a name takes as many steps at most as its length times the pattern's.
 */
final class NamePattern {

    /** The name of a lock has 1,024 bytes at most. Each may need a backslash, and a star comes behind them. */
    private static final int LONGEST = 2 * 1_024 + 1;

    /** A star, which is known by its identity. */
    private static final IntPredicate ANY_TEXT = new IntPredicate() {

        @Override
        public boolean test(int character) {
            return true;
        }
    };

    private final List<IntPredicate> parts;
    private final String start;

    private NamePattern(List<IntPredicate> parts, String start) {
        this.parts = parts;
        this.start = start;
    }

    /** @throws IllegalArgumentException if the pattern is malformed */
    static NamePattern of(String pattern) {
        if (pattern.isEmpty() || pattern.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "pattern: " + pattern.length() + " characters (expected: 1 to " + LONGEST + ")");
        }
        return new Reader(pattern).read();
    }

    /** A pattern of all names that begin so. */
    static String ofPrefix(String prefix) {
        StringBuilder pattern = new StringBuilder();
        prefix.chars().forEach(character -> {
            if ("*?[\\".indexOf(character) >= 0) {
                pattern.append('\\');
            }
            pattern.append((char) character);
        });
        return pattern.append('*').toString();
    }

    /** What all names begin with that match. */
    String start() {
        return start;
    }

    boolean matches(String name) {
        int[] characters = name.codePoints().toArray();
        int at = 0;
        int part = 0;
        int star = -1;
        int behindStar = 0;
        while (at < characters.length) {
            if (part < parts.size() && parts.get(part) == ANY_TEXT) {
                star = part++;
                behindStar = at;
            } else if (part < parts.size() && parts.get(part).test(characters[at])) {
                part++;
                at++;
            } else if (star >= 0) {
                // The latest star takes one character more; those before it need not.
                part = star + 1;
                at = ++behindStar;
            } else {
                return false;
            }
        }
        while (part < parts.size() && parts.get(part) == ANY_TEXT) {
            part++;
        }
        return part == parts.size();
    }

    /** Reads a pattern from its beginning to its end. */
    private static final class Reader {

        private final String pattern;
        private final int[] characters;
        private int at;
        private final List<IntPredicate> parts = new ArrayList<>();
        private final StringBuilder start = new StringBuilder();
        private boolean isLiteral = true;

        Reader(String pattern) {
            this.pattern = pattern;
            this.characters = pattern.codePoints().toArray();
        }

        NamePattern read() {
            while (at < characters.length) {
                int character = characters[at++];
                switch (character) {
                    case '*' -> addStar();
                    case '?' -> add(any -> true);
                    case '[' -> add(oneOf());
                    case '\\' -> addLiteral(next("a character behind '\\'"));
                    default -> addLiteral(character);
                }
            }
            return new NamePattern(List.copyOf(parts), start.toString());
        }

        private void addStar() {
            isLiteral = false;
            if (parts.isEmpty() || parts.get(parts.size() - 1) != ANY_TEXT) {
                parts.add(ANY_TEXT);
            }
        }

        private void add(IntPredicate part) {
            isLiteral = false;
            parts.add(part);
        }

        private void addLiteral(int literal) {
            if (isLiteral) {
                start.appendCodePoint(literal);
            }
            parts.add(character -> character == literal);
        }

        private IntPredicate oneOf() {
            boolean others = at < characters.length && characters[at] == '^';
            if (others) {
                at++;
            }
            IntPredicate all = character -> false;
            int members = 0;
            for (int first = next("']'"); first != ']'; first = next("']'")) {
                int from = first == '\\' ? next("a character behind '\\'") : first;
                int to = from;
                if (at + 1 < characters.length && characters[at] == '-' && characters[at + 1] != ']') {
                    at++;
                    int last = next("']'");
                    to = last == '\\' ? next("a character behind '\\'") : last;
                }
                int least = Math.min(from, to);
                int most = Math.max(from, to);
                all = all.or(character -> character >= least && character <= most);
                members++;
            }
            if (members == 0) {
                throw malformed("a character in '[]'");
            }
            return others ? all.negate() : all;
        }

        private int next(String expected) {
            if (at == characters.length) {
                throw malformed(expected);
            }
            return characters[at++];
        }

        private IllegalArgumentException malformed(String expected) {
            return new IllegalArgumentException(
                    "pattern: '" + Printable.of(pattern) + "' ends too soon or has a gap (expected: " + expected + ")");
        }
    }
}
