package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who a client is to its servers: a user or none, a password or token, and perhaps the time at which it expires. Immutable.
 *
 * <p>{@link #toString} does not show the password, and no class of this library does.
 */
public final class Credentials {

    /** Servers cut a connection that sends a longer word before it has said who it is. */
    private static final int MOST_BYTES = 16_384;

    private final Optional<String> user;
    private final String password;
    private final Optional<Instant> expiry;

    private Credentials(Optional<String> user, String password, Optional<Instant> expiry) {
        this.user = user;
        this.password = password;
        this.expiry = expiry;
    }

    /** A user with a password that does not expire. */
    public static Credentials of(String user, String password) {
        return new Credentials(Optional.of(checkedUser(user)), checkedPassword(password), Optional.empty());
    }

    /** The password of the server's default user, which does not expire. */
    public static Credentials ofPassword(String password) {
        return new Credentials(Optional.empty(), checkedPassword(password), Optional.empty());
    }

    /** The same, but the server takes them until then. The client gets others before. */
    public Credentials expiringAt(Instant expiry) {
        return new Credentials(user, password, Optional.of(Objects.requireNonNull(expiry, "expiry")));
    }

    /** Empty for the default user. */
    public Optional<String> user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** Empty if they do not expire, or if the time is not known. */
    public Optional<Instant> expiry() {
        return expiry;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Credentials that
                && user.equals(that.user)
                && password.equals(that.password)
                && expiry.equals(that.expiry);
    }

    @Override
    public int hashCode() {
        return Objects.hash(user, password, expiry);
    }

    /** Everything but the password. */
    @Override
    public String toString() {
        return "Credentials{user=" + (user.isPresent() ? "given" : "none") + ", password=***, expiry="
                + (expiry.isPresent() ? Printable.of(expiry.get()) : "none") + '}';
    }

    private static String checkedUser(String user) {
        Objects.requireNonNull(user, "user");
        if (user.isEmpty()
                || isTooLong(user)
                || isTorn(user)
                || user.codePoints().anyMatch(Credentials::isSpace)) {
            // Not shown: the password may stand here by mistake.
            throw new IllegalArgumentException("user: " + described(user)
                    + (user.equals(user.strip()) ? "" : ", with white space at an end")
                    + " (expected: 1 to " + MOST_BYTES
                    + " bytes of UTF-8 without white space and control characters)");
        }
        return user;
    }

    private static String checkedPassword(String password) {
        Objects.requireNonNull(password, "password");
        if (password.isEmpty() || isTooLong(password) || isTorn(password)) {
            throw new IllegalArgumentException(
                    "password: " + described(password) + " (expected: 1 to " + MOST_BYTES + " bytes of UTF-8)");
        }
        return password;
    }

    private static String described(String text) {
        return text.length() + " characters" + (isTorn(text) ? ", one of them half of a surrogate pair" : "");
    }

    /** Whether UTF-8 can't say the text: a '?' would be sent in place of a character. */
    private static boolean isTorn(String text) {
        return !StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static boolean isSpace(int character) {
        return Character.isWhitespace(character) || Character.isISOControl(character);
    }

    private static boolean isTooLong(String text) {
        return text.length() > MOST_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES;
    }
}
