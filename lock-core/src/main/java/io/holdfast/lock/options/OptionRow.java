package io.holdfast.lock.options;

import io.holdfast.lock.text.Printable;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * An option that has a text form.
 *
 * @param name as a file has it
 * @param form how its text is read
 * @param setter puts the value where it belongs
 */
record OptionRow<T>(String name, TextForm<T> form, BiConsumer<OptionDraft, T> setter) {

    /** The name as a variable: in capitals, with an underscore before each word. */
    String variable() {
        return Variables.PREFIX
                + name.replace('.', '_').replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }

    /**
     * Reads a text and sets the option.
     *
     * @throws IllegalArgumentException if the text is none of this form, or the builder refuses its value
     */
    void set(OptionDraft draft, OptionText given) {
        if (ControlCharacters.isIn(given.text())) {
            throw refused(
                    given,
                    name + ": not shown, since it holds a control character or a line separator (expected: "
                            + form.expected() + ")");
        }
        T value;
        try {
            value = form.read(given.text());
        } catch (IllegalArgumentException unreadable) {
            throw refused(given, shown(given));
        }
        try {
            setter.accept(draft, value);
        } catch (IllegalArgumentException unusable) {
            // The builder names the option as its method is called: 'lease' for 'lock.lease'.
            String room = name.substring(0, name.lastIndexOf('.') + 1);
            throw refused(given, form.isSecret() ? shown(given) : room + unusable.getMessage());
        }
    }

    private String shown(OptionText given) {
        String value = form.isSecret() ? "not usable, and not shown" : "'" + Printable.of(given.text()) + "'";
        return name + ": " + value + " (expected: " + form.expected() + ")";
    }

    private static IllegalArgumentException refused(OptionText given, String complaint) {
        return new IllegalArgumentException(Printable.message(given.source() + ": " + complaint));
    }
}
