package io.holdfast.lock.tests.simulation;

import org.luaj.vm2.LuaString;

/** Owners in several clients that want the same things of one server, and what must hold for them together. */
interface SharedOwners {

    /** One of them does something. */
    void next();

    /** From now on what is granted is given back at once, and what is held as well. */
    void giveBack();

    void crashed(SimulatedClient client);

    /** The server has forgotten; what was held may meet others. */
    void lostData();

    /** The server has no longer what it had for a field. */
    void gone(LuaString key, boolean released);

    /** The server has run a script. */
    default void ran(Request request, Keyspace data) {}

    /** Never do more hold than may, by the word of their clients. */
    void exclude();

    /** What is free is not left so while a call waits for it that is able to hear of it. */
    void lookForIdleLocks(long calmFromNanos);

    void allEnded();

    int asked();

    int granted();

    int lost();
}
