package io.holdfast.lock.tests.models;

/** A rule of the protocol that a model can do without; each model has an enum of its rules. */
interface Rule {
    /** The name of the enum's constant. */
    String name();

    LeftOut leftOut();

    /**
     * How the rule shows that it is needed.
     *
     * @param number of the rule in {@code docs/builders/rules.md}
     * @param bounds within which the model breaks without the rule
     * @param guards the invariant that breaks
     * @param says the rule in a few words
     */
    record LeftOut(int number, Bounds bounds, String guards, String says) {}
}
