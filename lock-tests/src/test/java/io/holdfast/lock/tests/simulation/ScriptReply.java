package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Reply;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** What a script returned, as a server sends it: numbers lose their fractions, false is nothing. */
final class ScriptReply implements Reply {

    private final LuaValue value;

    ScriptReply(LuaValue value) {
        this.value = value;
    }

    @Override
    public int size() {
        return value instanceof LuaTable table ? table.length() : 0;
    }

    @Override
    public long integer() {
        if (value.isnumber()) {
            return (long) value.todouble();
        }
        if (value.isboolean() && value.toboolean()) {
            return 1;
        }
        throw new IllegalStateException("reply: " + value + " (expected: an integer)");
    }

    @Override
    public long integer(int index) {
        return get(index).integer();
    }

    @Override
    public @Nullable String text() {
        return isNull() ? null : value.isnumber() && !value.isstring() ? Long.toString(integer()) : value.tojstring();
    }

    @Override
    public @Nullable String text(int index) {
        return get(index).text();
    }

    @Override
    public byte[] bytes() {
        LuaString text = value.checkstring();
        byte[] bytes = new byte[text.rawlen()];
        text.copyInto(0, bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    public Reply get(int index) {
        return new ScriptReply(value.get(index + 1));
    }

    @Override
    public boolean isNull() {
        return value.isnil() || value.isboolean() && !value.toboolean();
    }

    @Override
    public String toString() {
        if (!(value instanceof LuaTable)) {
            return isNull() ? "nothing" : String.valueOf(text());
        }
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < size(); i++) {
            text.append(i == 0 ? "" : ", ").append(get(i));
        }
        return text.append('}').toString();
    }
}
