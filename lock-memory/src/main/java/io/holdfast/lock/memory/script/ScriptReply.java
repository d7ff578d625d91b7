package io.holdfast.lock.memory.script;

import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.UnexpectedReplyException;
import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** What a script returned, as a server sends it: numbers lose their fractions, false is nothing, and nil ends a list. */
public final class ScriptReply implements Reply {

    private final LuaValue value;

    public ScriptReply(LuaValue value) {
        this.value = value instanceof LuaTable table && !table.get("ok").isnil() ? table.get("ok") : value;
    }

    public boolean isList() {
        return value instanceof LuaTable;
    }

    @Override
    public int size() {
        int size = 0;
        while (value instanceof LuaTable table && !table.get(size + 1).isnil()) {
            size++;
        }
        return size;
    }

    @Override
    public long integer() {
        if (value instanceof LuaString) {
            try {
                return Long.parseLong(value.tojstring());
            } catch (NumberFormatException none) {
                throw new UnexpectedReplyException(
                        "a script answered " + Printable.of(value.tojstring()) + " (expected: a number)", none);
            }
        }
        if (value.isnumber()) {
            return (long) value.todouble();
        }
        if (value.isboolean() && value.toboolean()) {
            return 1;
        }
        throw new UnexpectedReplyException(
                "a script answered a " + Printable.of(value.typename()) + " (expected: a number)");
    }

    @Override
    public long integer(int index) {
        return get(index).integer();
    }

    @Override
    public @Nullable String text() {
        if (value instanceof LuaTable) {
            throw new UnexpectedReplyException("a script answered a list (expected: a text)");
        }
        return isNull() ? null : value instanceof LuaString ? value.tojstring() : Long.toString(integer());
    }

    @Override
    public @Nullable String text(int index) {
        return get(index).text();
    }

    @Override
    public byte[] bytes() {
        if (!(value instanceof LuaString text)) {
            return new byte[0];
        }
        byte[] bytes = new byte[text.m_length];
        text.copyInto(0, bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    public ScriptReply get(int index) {
        LuaValue element = value instanceof LuaTable && index >= 0 ? value.get(index + 1) : LuaValue.NIL;
        if (element.isnil()) {
            throw new UnexpectedReplyException("a script answered no element " + index);
        }
        return new ScriptReply(element);
    }

    @Override
    public boolean isNull() {
        return !value.toboolean();
    }

    @Override
    public String toString() {
        if (!(value instanceof LuaTable)) {
            return isNull() ? "nothing" : Printable.of(text());
        }
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < size(); i++) {
            text.append(i == 0 ? "" : ", ").append(get(i));
        }
        return Printable.message(text.append('}').toString());
    }
}
