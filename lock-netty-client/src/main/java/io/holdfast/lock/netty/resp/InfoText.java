package io.holdfast.lock.netty.resp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What servers tell of themselves as text: INFO in lines of {@code name:value}, CLIENT INFO in words of {@code name=value}. */
public final class InfoText {

    private static final char END_OF_LINE = '\n';

    private InfoText() {}

    /** What follows a name in the first line that begins with it; empty if none does. */
    public static String field(@Nullable String lines, String name) {
        return field(lines, name, END_OF_LINE);
    }

    /** What follows a name in the first of several fields that begins with it; empty if none does. */
    public static String field(@Nullable String fields, String name, char separator) {
        String text = fields == null ? "" : fields;
        int start = 0;
        while (start < text.length()) {
            int end = endOf(text, start, separator);
            if (text.startsWith(name, start)) {
                return text.substring(Math.min(start + name.length(), end), end).trim();
            }
            start = end + 1;
        }
        return "";
    }

    /** All fields of INFO, the first of each name; none if there is no text. */
    public static Map<String, String> fields(@Nullable String lines) {
        Map<String, String> fields = new HashMap<>();
        String text = lines == null ? "" : lines;
        int start = 0;
        while (start < text.length()) {
            int end = endOf(text, start, END_OF_LINE);
            int colon = text.indexOf(':', start);
            if (colon > start && colon < end) {
                fields.putIfAbsent(
                        text.substring(start, colon),
                        text.substring(colon + 1, end).trim());
            }
            start = end + 1;
        }
        return fields;
    }

    /** What a primary says of each of its replicas, in words like {@code ip=10.0.0.2,port=6379,state=online}. */
    public static List<String> replicas(Map<String, String> fields) {
        List<String> replicas = new ArrayList<>();
        for (String words = fields.get("slave0"); words != null; words = fields.get("slave" + replicas.size())) {
            replicas.add(words);
        }
        return replicas;
    }

    /** One word of what a primary says of a replica; empty if it is not there. */
    public static String word(String words, String name) {
        return field(words, name + "=", ',');
    }

    private static int endOf(String text, int start, char separator) {
        int end = text.indexOf(separator, start);
        return end < 0 ? text.length() : end;
    }
}
