package io.holdfast.lock.boot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Options as texts, by the names that a file of options has for them. What is null is not written. */
final class OptionWriter {

    private final Map<String, String> texts = new LinkedHashMap<>();

    void add(String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            texts.put(name, String.join(",", list.stream().map(String::valueOf).toList()));
        } else if (value != null) {
            texts.put(name, value.toString());
        }
    }

    Map<String, String> written() {
        return Collections.unmodifiableMap(texts);
    }
}
