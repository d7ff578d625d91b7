package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A password in a file that may be exchanged at any time: read at each call, never kept.
 *
 * <p>No message shows anything of what is in it.
 */
final class PasswordFile implements CredentialsProvider {

    private static final Duration INTERVAL = Duration.ofSeconds(30);

    /** What some editors put before a text, unseen. No server would know the password with it. */
    private static final String BYTE_ORDER_MARK = "\ufeff";

    /** More than any password that a server takes, so that a wrong file is not read to its end. */
    private static final int MOST_BYTES = 1 << 15;

    private final Optional<String> user;
    private final Path file;

    PasswordFile(Optional<String> user, Path file) {
        this.user = user;
        this.file = Objects.requireNonNull(file, "password");
        // What is wrong with the user is said now.
        user.ifPresent(name -> Credentials.of(name, "unused"));
    }

    @Override
    public CompletionStage<Credentials> credentials() {
        String password = withoutLineEnd(withoutMark(text()));
        try {
            return CompletableFuture.completedFuture(
                    user.isPresent() ? Credentials.of(user.get(), password) : Credentials.ofPassword(password));
        } catch (IllegalArgumentException noPassword) {
            throw unusable("holds no password of a length that servers take", noPassword);
        }
    }

    @Override
    public Optional<Duration> interval() {
        return Optional.of(INTERVAL);
    }

    private String text() {
        refuseOthersThanFiles();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw unusable("is not UTF-8", notText);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    /** A pipe would keep the thread that reads it for as long as its writer likes. */
    private void refuseOthersThanFiles() {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(file, BasicFileAttributes.class);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
        if (!attributes.isRegularFile()) {
            throw unusable(attributes.isDirectory() ? "is a directory" : "is no regular file", null);
        }
    }

    private CredentialsUnavailableException unreadable(IOException cause) {
        return unusable("can't be read: " + cause.getClass().getSimpleName(), cause);
    }

    private CredentialsUnavailableException unusable(String fault, @Nullable Exception cause) {
        String message = "file " + Printable.of(file) + ": " + fault + " (expected: a password and nothing else)";
        return cause == null
                ? new CredentialsUnavailableException(message)
                : new CredentialsUnavailableException(message, cause);
    }

    private static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
    }

    private static String withoutLineEnd(String text) {
        int end = text.endsWith("\n") ? text.length() - 1 : text.length();
        return text.substring(0, end > 0 && end < text.length() && text.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PasswordFile that && user.equals(that.user) && file.equals(that.file);
    }

    @Override
    public int hashCode() {
        return Objects.hash(user, file);
    }

    @Override
    public String toString() {
        return "PasswordFile{" + Printable.of(file) + '}';
    }
}
