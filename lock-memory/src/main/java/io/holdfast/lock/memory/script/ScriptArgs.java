package io.holdfast.lock.memory.script;

import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;

/** The keys and arguments of a call, as a script finds them. */
public final class ScriptArgs implements Args {

    private final LuaTable keys = new LuaTable(4, 0);
    private final LuaTable arguments = new LuaTable(8, 0);
    private int keyCount;
    private int argumentCount;

    @Override
    public Args key(byte[] key) {
        keys.set(++keyCount, LuaString.valueUsing(key));
        return this;
    }

    @Override
    public Args arg(byte[] value) {
        arguments.set(++argumentCount, LuaString.valueUsing(value));
        return this;
    }

    @Override
    public Args arg(long value) {
        return arg(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    }

    public LuaTable keys() {
        return keys;
    }

    public LuaTable arguments() {
        return arguments;
    }

    public int keyCount() {
        return keyCount;
    }

    public LuaString key(int number) {
        return (LuaString) keys.get(number);
    }
}
