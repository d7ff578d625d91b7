package io.holdfast.lock.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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

    /** The words of a request: the command and its arguments, each byte as one character. */
    public List<String> words() {
        String request = text();
        List<String> words = new ArrayList<>();
        for (int at = request.indexOf("\r\n") + 2; at < request.length(); ) {
            int end = request.indexOf("\r\n", at);
            int length = Integer.parseInt(request, at + 1, end, 10);
            words.add(request.substring(end + 2, end + 2 + length));
            at = end + 2 + length + 2;
        }
        return words;
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
