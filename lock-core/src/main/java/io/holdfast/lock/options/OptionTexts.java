package io.holdfast.lock.options;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.text.NearestName;
import io.holdfast.lock.text.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes options of texts. What is wrong with a text is told by its source and its option; a secret is never quoted. */
public final class OptionTexts {

    /** Said of a name that is like no option's. */
    static final String LISTED = "expected: one of docs/options.md";

    private OptionTexts() {}

    /**
     * Reads a {@code .properties} file.
     *
     * @throws IllegalArgumentException if the file can't be used, or anything in it
     */
    public static ClientOptions fromFile(Path file) {
        return options(PropertiesFile.read(file));
    }

    /**
     * Reads variables, over the file that one of them may name.
     *
     * @throws IllegalArgumentException if a variable, the file, or anything in it can't be used
     */
    public static ClientOptions fromEnvironment(Map<String, String> variables) {
        Map<String, OptionText> given = new LinkedHashMap<>();
        String file = variables.get(Variables.FILE);
        if (file != null) {
            given.putAll(PropertiesFile.read(path(file)));
        }
        Alternatives.override(given, Variables.read(variables));
        return options(given);
    }

    /**
     * Reads texts of a framework that has its own way to properties.
     *
     * @throws IllegalArgumentException if a name is unknown, or a text can't be used
     */
    public static ClientOptions fromTexts(Map<String, String> texts, UnaryOperator<String> source) {
        Map<String, OptionText> given = new LinkedHashMap<>();
        texts.forEach((name, text) -> {
            if (OptionTable.row(name).isEmpty()) {
                throw new IllegalArgumentException(Printable.message(source.apply(name) + ": unknown option ("
                        + NearestName.hint(name, OptionTable.names(), LISTED) + ")"));
            }
            given.put(name, new OptionText(text, source.apply(name)));
        });
        return options(given);
    }

    private static Path path(String text) {
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException noPath) {
            throw noPath(text, noPath);
        }
        throw noPath(text, null);
    }

    private static IllegalArgumentException noPath(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "variable " + Variables.FILE + ": '" + Printable.of(text) + "' (expected: the path of a file)", cause);
    }

    private static ClientOptions options(Map<String, OptionText> given) {
        OptionDraft draft = new OptionDraft();
        given.forEach((name, text) -> OptionTable.row(name).orElseThrow().set(draft, text));
        try {
            return draft.build();
        } catch (IllegalArgumentException contradiction) {
            throw new IllegalArgumentException(
                    Printable.message(blamed(given, contradiction) + ": " + contradiction.getMessage()), contradiction);
        }
    }

    /** Where those texts come from whose options a contradiction names. */
    private static String blamed(Map<String, OptionText> given, IllegalArgumentException contradiction) {
        String message = String.valueOf(contradiction.getMessage());
        List<String> sources = given.entrySet().stream()
                .filter(text -> names(message, text.getKey()))
                .map(text -> text.getValue().source())
                .toList();
        return sources.isEmpty() ? "options" : String.join(" and ", sources);
    }

    /** Whether a message has the name of an option. That of a lock's is shorter there: {@code lease}. */
    private static boolean names(String message, String option) {
        String name = option.startsWith(OptionTable.LOCK) ? option.substring(OptionTable.LOCK.length()) : option;
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(name) + "\\b")
                .matcher(message)
                .find();
    }
}
