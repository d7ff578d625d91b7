package io.holdfast.cli.text;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * JSON in one line and in ASCII, so that neither the terminal's character set nor a name can break it. A map is an object in
 * its order; an empty optional is null.
 */
public final class Json {

    private static final int FIRST_VISIBLE = 0x20;
    private static final int LAST_VISIBLE = 0x7e;

    private Json() {}

    public static String of(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, @Nullable Object value) {
        if (value instanceof Optional<?> optional) {
            append(text, optional.orElse(null));
        } else if (value instanceof OptionalLong number) {
            text.append(number.isPresent() ? number.getAsLong() : "null");
        } else if (value instanceof OptionalInt number) {
            text.append(number.isPresent() ? number.getAsInt() : "null");
        } else if (value instanceof Map<?, ?> map) {
            object(text, map);
        } else if (value instanceof Collection<?> values) {
            array(text, values);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof CharSequence || value instanceof Enum<?> || value instanceof Instant) {
            string(text, value.toString());
        } else {
            throw new IllegalArgumentException("no JSON of " + value.getClass());
        }
    }

    private static void object(StringBuilder text, Map<?, ?> map) {
        String comma = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(comma);
            string(text, String.valueOf(entry.getKey()));
            text.append(':');
            append(text, entry.getValue());
            comma = ",";
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private static void array(StringBuilder text, Collection<?> values) {
        text.append('[');
        String comma = "";
        for (Object value : values) {
            text.append(comma);
            append(text, value);
            comma = ",";
        }
        text.append(']');
    }

    private static void string(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character >= FIRST_VISIBLE && character <= LAST_VISIBLE) {
                text.append(character);
            } else {
                text.append(String.format("\\u%04x", (int) character));
            }
        }
        text.append('"');
    }
}
