package io.holdfast.lock.options;

/**
 * Characters that no option has, and that make a text look like two lines, or two lines like one. What is beside an option
 * may be a secret, so a text with such a character is neither taken nor quoted.
 */
final class ControlCharacters {

    private ControlCharacters() {}

    static boolean isIn(String text) {
        return text.chars().anyMatch(ControlCharacters::isOne);
    }

    private static boolean isOne(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
    }
}
