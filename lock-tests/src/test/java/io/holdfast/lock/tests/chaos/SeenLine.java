package io.holdfast.lock.tests.chaos;

import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;

/** What is seen as a line of text: how it comes from one process to another. */
final class SeenLine {

    static final String BEGINNING = "seen ";

    private SeenLine() {}

    static String write(Seen seen) {
        StringJoiner line = new StringJoiner(" ", BEGINNING, "");
        line.add(seen.getClass().getSimpleName());
        try {
            for (RecordComponent part : seen.getClass().getRecordComponents()) {
                String value = String.valueOf(part.getAccessor().invoke(seen));
                line.add("=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(seen + " can't be written", e);
        }
        return line.toString();
    }

    static Seen read(String line) {
        String[] words = line.substring(BEGINNING.length()).split(" ");
        Class<?> type = Arrays.stream(Seen.class.getPermittedSubclasses())
                .filter(each -> each.getSimpleName().equals(words[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not a line of this kind: " + line));
        RecordComponent[] parts = type.getRecordComponents();
        Object[] values = new Object[parts.length];
        Class<?>[] types = new Class<?>[parts.length];
        for (int i = 0; i < parts.length; i++) {
            types[i] = parts[i].getType();
            values[i] = value(types[i], URLDecoder.decode(words[i + 1].substring(1), StandardCharsets.UTF_8));
        }
        try {
            return (Seen) type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't be read: " + line, e);
        }
    }

    private static Object value(Class<?> type, String text) {
        if (type == long.class) {
            return Long.parseLong(text);
        }
        if (type == int.class) {
            return Integer.parseInt(text);
        }
        if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(each -> ((Enum<?>) each).name().equals(text))
                    .findFirst()
                    .orElseThrow();
        }
        return text;
    }
}
