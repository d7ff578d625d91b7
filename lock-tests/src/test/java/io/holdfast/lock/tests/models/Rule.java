package io.holdfast.lock.tests.models;

/** A rule of the protocol that a model can do without; each model has an enum of its rules. */
interface Rule {
    /** The name of the enum's constant. */
    String name();

    /** The number in {@code docs/builders/rules.md}. */
    int number();

    /** The bounds in which it shows that the rule is needed. */
    Bounds bounds();

    /** The name of the invariant that is broken without the rule. */
    String guards();

    /** What the rule says, in a few words. */
    String says();
}
