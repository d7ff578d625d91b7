package io.holdfast.lock.memory.script;

import org.luaj.vm2.LuaString;

/** The server of a script: its data, and what it does beside looking after that. */
public interface ScriptHost {

    StoredData keys();

    /** A command touches a key, if it has one; a node of a cluster refuses it where the key is at another one. */
    default void touch(String command, LuaString key) {}

    /** Tells listeners; says how many there are. */
    long publish(LuaString channel, LuaString message);

    long listeners(LuaString channel);

    /** Another one after each promotion and each restart. */
    String replicationId();
}
