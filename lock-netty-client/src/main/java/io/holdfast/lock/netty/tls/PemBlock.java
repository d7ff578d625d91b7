package io.holdfast.lock.netty.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of the blocks of a PEM file: a label, headers in files of old, and bytes. What stands between blocks is for people.
 *
 * <p>No record: the bytes may be a key, and a record shows what it holds.
 */
final class PemBlock {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final String label;
    private final Map<String, String> headers;
    private final byte[] bytes;

    private PemBlock(String label, Map<String, String> headers, byte[] bytes) {
        this.label = label;
        this.headers = headers;
        this.bytes = bytes;
    }

    /**
     * The blocks of a file, in their order.
     *
     * @throws IllegalArgumentException if one of them is malformed
     */
    static List<PemBlock> all(String text) {
        List<PemBlock> blocks = new ArrayList<>();
        Map<String, String> headers = new HashMap<>();
        StringBuilder base64 = new StringBuilder();
        String label = null;
        for (String untrimmed : text.lines().toList()) {
            String line = untrimmed.strip();
            int colon = line.indexOf(':');
            if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
                label = line.substring(BEGIN.length(), line.length() - DASHES.length());
                headers.clear();
                base64.setLength(0);
            } else if (label != null && line.startsWith(END)) {
                blocks.add(new PemBlock(
                        label, Map.copyOf(headers), Base64.getDecoder().decode(base64.toString())));
                label = null;
            } else if (colon >= 0) {
                headers.put(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            } else {
                base64.append(line);
            }
        }
        return blocks;
    }

    String label() {
        return label;
    }

    /** Empty if there is none of this name. */
    String header(String name) {
        @Nullable String value = headers.get(name);
        return value == null ? "" : value;
    }

    byte[] bytes() {
        return bytes;
    }
}
