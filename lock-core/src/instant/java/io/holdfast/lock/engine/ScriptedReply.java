package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** An answer made of Java values: a number, a text, null, or a list of them. */
record ScriptedReply(Object value) implements Reply {

    static ScriptedReply of(Object value) {
        return new ScriptedReply(value);
    }

    @Override
    public int size() {
        return value instanceof List<?> list ? list.size() : 0;
    }

    @Override
    public long integer() {
        if (value instanceof Number number) {
            return number.longValue();
        }
        if (value instanceof String text) {
            return Long.parseLong(text);
        }
        throw new IllegalStateException("not a number: " + value);
    }

    @Override
    public long integer(int index) {
        return get(index).integer();
    }

    @Override
    public String text() {
        return value == null ? null : value.toString();
    }

    @Override
    public String text(int index) {
        return get(index).text();
    }

    @Override
    public byte[] bytes() {
        return value instanceof byte[] bytes ? bytes : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public ScriptedReply get(int index) {
        return of(((List<?>) value).get(index));
    }

    @Override
    public boolean isNull() {
        return value == null;
    }
}
