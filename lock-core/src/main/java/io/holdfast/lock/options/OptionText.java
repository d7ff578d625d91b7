package io.holdfast.lock.options;

/** What was written for an option, and where. No record, since the text may be a secret, and records show theirs. */
final class OptionText {

    private final String text;
    private final String source;

    /**
     * A text of a source.
     *
     * @param text what was written, possibly a secret
     * @param source the file and the line, or the variable, as complaints name them
     */
    OptionText(String text, String source) {
        this.text = text;
        this.source = source;
    }

    String text() {
        return text;
    }

    String source() {
        return source;
    }
}
