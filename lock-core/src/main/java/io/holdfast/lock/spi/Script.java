package io.holdfast.lock.spi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Lua script with its digest, by which servers remember it. */
public final class Script {

    private final String name;
    private final Supplier<String> text;
    private final @Nullable String command;
    private final boolean urgent;
    /** Null until it is wanted, as its digest is: a client that starts needs two of a dozen. Making it twice gives the same. */
    private @Nullable String source;

    private @Nullable String sha1;

    /** An ordinary script: its calls wait for room in the transport's queue, and behind the urgent ones. */
    public Script(String name, String source) {
        this(name, false, null, given(source));
    }

    private Script(String name, boolean urgent, @Nullable String command, Supplier<String> text) {
        this.name = Objects.requireNonNull(name, "name");
        this.command = command;
        this.urgent = urgent;
        this.text = text;
    }

    /** A script that keeps a lock or gives it back: its calls go first, and there is always room for them (rule 80). */
    public static Script urgent(String name, String source) {
        return new Script(name, true, null, given(source));
    }

    /** A script whose text is made when it is wanted first. */
    public static Script later(String name, boolean urgent, Supplier<String> text) {
        return new Script(name, urgent, null, Objects.requireNonNull(text, "text"));
    }

    /** A script without keys that runs one command with its arguments, and answers what that answers. */
    public static Script ofCommand(String name, boolean urgent, String command, Supplier<String> text) {
        return new Script(name, urgent, Objects.requireNonNull(command, "command"), text);
    }

    private static Supplier<String> given(String source) {
        Objects.requireNonNull(source, "source");
        return () -> source;
    }

    /** The script's short name, for messages and statistics. */
    public String name() {
        return name;
    }

    public boolean isUrgent() {
        return urgent;
    }

    /**
     * The command that does the same with the same arguments, which a transport may send instead: some servers run no script without
     * keys. Null if there is none.
     */
    public @Nullable String command() {
        return command;
    }

    /** The Lua source. */
    public String source() {
        String made = source;
        if (made == null) {
            made = text.get();
            source = made;
        }
        return made;
    }

    /** The digest of the source as 40 lower-case hexadecimal digits, as EVALSHA wants it. */
    public String sha1() {
        String digest = sha1;
        if (digest == null) {
            digest = sha1(source());
            sha1 = digest;
        }
        return digest;
    }

    @Override
    public String toString() {
        return name;
    }

    private static String sha1(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this JVM has no SHA-1, which EVALSHA needs", missing);
        }
    }
}
