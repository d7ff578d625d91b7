package io.holdfast.lock.tests.simulation;

import org.luaj.vm2.LuaString;

/** A witness of what servers do that draws no conclusions. */
class Unconcerned implements SimulatedServer.Witness {

    static final Unconcerned WITNESS = new Unconcerned();

    @Override
    public void added(LuaString key, LuaString field, boolean handedOver) {}

    @Override
    public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {}

    @Override
    public void granted(LuaString key, LuaString field, long token, long tokens, long micros, boolean abandoned) {}

    @Override
    public void joined(LuaString key, LuaString field, long token, boolean abandoned) {}

    @Override
    public void outOfMemory(String script) {}

    @Override
    public void lostData(Keyspace data) {}
}
