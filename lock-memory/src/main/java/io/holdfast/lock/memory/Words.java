package io.holdfast.lock.memory;

import io.holdfast.lock.spi.Args;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The keys and arguments of a call, each byte as one character. */
final class Words implements Args {

    final List<String> keys = new ArrayList<>();
    final List<String> arguments = new ArrayList<>();

    @Override
    public Args key(byte[] key) {
        keys.add(new String(key, StandardCharsets.ISO_8859_1));
        return this;
    }

    @Override
    public Args arg(byte[] value) {
        arguments.add(new String(value, StandardCharsets.ISO_8859_1));
        return this;
    }

    @Override
    public Args arg(long value) {
        arguments.add(Long.toString(value));
        return this;
    }

    String key(int index) {
        return keys.get(index);
    }

    String arg(int index) {
        return arguments.get(index);
    }

    /** An argument that some calls leave out. */
    boolean argIs(int index, String value) {
        return index < arguments.size() && arguments.get(index).equals(value);
    }
}
