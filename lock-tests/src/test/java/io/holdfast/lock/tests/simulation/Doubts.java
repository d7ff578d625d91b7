package io.holdfast.lock.tests.simulation;

/** Where it is entered that a fault breaks what exclusion rests on. */
interface Doubts {

    /** Owners that have a lock at a server now may meet others. */
    void doubt(int server);

    /** Until further notice, owners that get a lock at a server may meet others. */
    void doubtFromNowOn(int server, boolean on);
}
