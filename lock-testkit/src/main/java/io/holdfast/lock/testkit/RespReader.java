package io.holdfast.lock.testkit;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads replies, RESP2 and RESP3, from a blocking stream into plain Java values. */
final class RespReader {
    private final InputStream in;

    RespReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** One reply: String, Long, Double, Boolean, List, Map, {@link RedisErrorReply} or null. */
    @Nullable
    Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', '(' -> rest;
            case '-' -> new RedisErrorReply(rest);
            case ':' -> Long.valueOf(rest);
            case ',' -> Double.valueOf(rest.replace("inf", "Infinity"));
            case '#' -> rest.equals("t");
            case '_' -> null;
            case '$' -> bulk(Integer.parseInt(rest));
            case '!' -> new RedisErrorReply(String.valueOf(bulk(Integer.parseInt(rest))));
            case '=' -> String.valueOf(bulk(Integer.parseInt(rest))).substring(4);
            case '*', '~', '>' -> list(Integer.parseInt(rest));
            case '%' -> map(Integer.parseInt(rest));
            default -> throw new IOException("not a reply: " + line);
        };
    }

    /** One line without its end, for MONITOR and for what is no RESP at all. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("connection closed by the server");
            }
            line.append((char) next);
        }
        if (line.length() < 2 || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("not a reply: " + line);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException("connection closed by the server in the middle of a reply");
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(read());
        }
        return list;
    }

    private Map<@Nullable Object, @Nullable Object> map(int size) throws IOException {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(read(), read());
        }
        return map;
    }
}
