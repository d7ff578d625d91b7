package io.holdfast.lock.tests.simulation;

/** Where a checker says that a promise was broken. */
interface Complaints {

    /**
     * A promise was broken.
     *
     * @param checker which: ME, FM, HC, NLW, LV, ERR or LIN
     */
    void broken(String checker, String message);
}
