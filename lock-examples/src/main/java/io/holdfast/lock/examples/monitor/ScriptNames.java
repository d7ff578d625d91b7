package io.holdfast.lock.examples.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The names of the library's scripts by the digests under which the server knows them. */
final class ScriptNames {

    private static final String FOLDER = "/io/holdfast/lock/engine/";
    private static final List<String> NAMES = List.of(
            "acquire", "reenter", "release", "transfer", "renew", "force", "inspect", "fenced-set", "fenced-get");
    /** Those of locks whose clients take turns, whose second part is for locks that others want. */
    private static final List<String> OF_TURNS = List.of("turn-acquire", "turn-release");

    private final Map<String, String> names = new HashMap<>();

    ScriptNames() {
        String common = read("common");
        for (String name : NAMES) {
            names.put(sha1(numbered(common + "\n" + read(name))), name);
        }
        String turns = read("turns") + "\n";
        for (String name : OF_TURNS) {
            names.put(sha1(numbered(common + "\n" + read(name) + "\n" + turns + read(name + "-wanted"))), name);
        }
        for (String name : List.of("turn-transfer", "turn-give-up")) {
            names.put(sha1(numbered(common + "\n" + turns + read(name))), name);
        }
    }

    /** The form in which a script is sent: its answer begins with the number of the request. */
    private static String numbered(String source) {
        return "return {tonumber(table.remove(ARGV)), (function() " + source + "\nend)() or false}";
    }

    /** The script's name; its digest, shortened, if it is none of ours. */
    String of(String digest) {
        return names.getOrDefault(digest, digest.substring(0, Math.min(8, digest.length())));
    }

    private static String read(String name) {
        try (InputStream in = ScriptNames.class.getResourceAsStream(FOLDER + name + ".lua")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + name + " cannot be read", unreadable);
        }
    }

    private static String sha1(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this JVM has no SHA-1", missing);
        }
    }
}
