package io.holdfast.lock.testkit;

import java.nio.charset.StandardCharsets;

/** One whole message of the protocol on its way through a {@link FaultProxy}: a request, a reply or a pushed message. */
public final class Frame {
    private final int connection;
    private final byte[] bytes;

    Frame(int connection, byte[] bytes) {
        this.connection = connection;
        this.bytes = bytes;
    }

    /** The number of the connection that it travels on, see {@link FaultProxy.Link#number()}. */
    public int connection() {
        return connection;
    }

    /** How many bytes it has. */
    public int size() {
        return bytes.length;
    }

    /** All of it, each byte as one character. */
    public String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Whether it contains this text, such as the name of a command or of a key. */
    public boolean contains(String part) {
        return text().contains(part);
    }

    /** Whether the server sent it without having been asked (RESP3). */
    public boolean isPush() {
        return bytes.length > 0 && bytes[0] == '>';
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "connection " + connection + ": " + text().replace("\r\n", " ");
    }
}
