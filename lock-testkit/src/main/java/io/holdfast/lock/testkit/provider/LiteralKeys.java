package io.holdfast.lock.testkit.provider;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The check of a proxy that reads scripts: each command is a literal and each key is written {@code KEYS[n]}, with a number. A
 * variable is refused, and so is a key in an expression.
 */
public final class LiteralKeys {
    private static final Pattern CALL = Pattern.compile("redis\\s*\\.\\s*p?call\\b");
    private static final Pattern LITERAL =
            Pattern.compile("\\('(?:(?:TIME|INFO|PUBSUB|S?PUBLISH)'|[A-Z]+', KEYS\\[[0-9]+\\](?=[,)]))");
    private static final Pattern IN_EXPRESSION = Pattern.compile(
            "\\.\\.\\s*KEYS\\[|KEYS\\[[^\\]]*\\]\\s*(?:\\.\\.|=[^=])|(?:unpack|ipairs|remove)\\(KEYS\\)");

    private LiteralKeys() {}

    /** The lines that such a proxy refuses. */
    public static List<String> complaints(String source) {
        String code = source.replaceAll("--[^\n]*", "");
        List<String> complaints = new ArrayList<>();
        for (Matcher call = CALL.matcher(code); call.find(); ) {
            if (!LITERAL.matcher(code)
                    .region(call.end(), code.length())
                    .useTransparentBounds(true)
                    .lookingAt()) {
                complaints.add(line(code, call.start()));
            }
        }
        for (Matcher key = IN_EXPRESSION.matcher(code); key.find(); ) {
            complaints.add(line(code, key.start()));
        }
        return complaints;
    }

    private static String line(String code, int at) {
        int end = code.indexOf('\n', at);
        return code.substring(code.lastIndexOf('\n', at) + 1, end < 0 ? code.length() : end);
    }
}
