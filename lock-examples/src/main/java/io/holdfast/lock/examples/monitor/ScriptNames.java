package io.holdfast.lock.examples.monitor;

import io.holdfast.lock.spi.client.Clients;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/** The names of the library's scripts by the digests under which the server knows them. */
final class ScriptNames {

    private final Map<String, String> names = new HashMap<>();

    ScriptNames() {
        Clients.scripts().forEach(script -> names.put(sha1(numbered(script.source())), script.name()));
    }

    /** The form in which a script is sent: its answer begins with the number of the request. */
    private static String numbered(String source) {
        return "return {tonumber(table.remove(ARGV)), (function() " + source + "\nend)() or false}";
    }

    /** The script's name; its digest, shortened, if it is none of ours. */
    String of(String digest) {
        return names.getOrDefault(digest, digest.substring(0, Math.min(8, digest.length())));
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
