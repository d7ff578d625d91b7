package io.holdfast.lock.tests.fuzz;

import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.Target;
import java.nio.charset.StandardCharsets;

/**
 * An address of any text: it is refused with a complaint that says what is expected, or it is read; and one without
 * secrets is read again from how it shows itself.
 */
public final class UrlTarget {

    private UrlTarget() {}

    /** What a fuzzer calls, by this name. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        RedisUri uri;
        try {
            uri = RedisUri.parse(text);
        } catch (IllegalArgumentException refused) {
            require(refused.getMessage().startsWith("malformed address: "), "a complaint: " + refused.getMessage());
            require(refused.getMessage().contains("(expected: redis://"), "a complaint: " + refused.getMessage());
            return;
        }
        if (uri.target() instanceof Target.Host server) {
            require(!server.host().isEmpty(), "an empty host");
            require(server.port() >= 1 && server.port() <= 65_535, "port " + server.port());
        } else {
            require(((Target.SocketFile) uri.target()).path().startsWith("/"), "a relative path");
        }
        require(uri.database() >= 0, "database " + uri.database());
        require(uri.user() == null || uri.password() != null, "a user without a password");
        if (uri.password() == null && uri.target() instanceof Target.SocketFile) {
            return;
        }
        if (uri.password() == null && uri.target().node().indexOf('%') >= 0) {
            // A zone is shown with a bare '%', as people write it; one that is called 25 then looks like an encoded
            // '%'.
            require(uri.target().node().startsWith("["), "a zone without an IPv6 address");
        } else if (uri.password() == null) {
            require(RedisUri.parse(uri.toString()).equals(uri), "read again, " + uri + " is another");
        } else {
            require(!uri.password().isEmpty(), "an empty password");
            require(uri.toString().contains(":***@"), "the password is shown");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
