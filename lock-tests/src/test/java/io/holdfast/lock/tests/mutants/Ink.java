package io.holdfast.lock.tests.mutants;

/** Colours, where the command found a terminal. */
enum Ink {
    GREEN("32"),
    RED("31");

    private static final boolean ON = Boolean.getBoolean("holdfast.colour");
    private final String code;

    Ink(String code) {
        this.code = code;
    }

    String on(String text) {
        return ON ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
