package io.holdfast.lock.tests.models;

/** How much may happen in a model; each model has an enum of its bounds. */
interface Bounds {
    /** The name of the enum's constant. */
    String name();

    /** Whether visiting all states takes minutes: for the long suites. */
    default boolean isLong() {
        return name().startsWith("LONG_");
    }
}
