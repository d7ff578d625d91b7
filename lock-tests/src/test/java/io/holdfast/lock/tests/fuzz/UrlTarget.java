package io.holdfast.lock.tests.fuzz;

import io.holdfast.lock.netty.address.RedisUri;
import io.holdfast.lock.netty.address.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An address of any text: it is refused with a complaint that says what is expected, or it is read; and one without
 * secrets is read again from how it shows itself.
 */
public final class UrlTarget {

    /** What is longer is cut where it is shown. */
    private static final int LONGEST_SHOWN = 2_000;

    private UrlTarget() {}

    /** What a fuzzer calls, by this name. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        RedisUri uri;
        try {
            uri = RedisUri.parse(text);
        } catch (IllegalArgumentException refused) {
            require(refused.getMessage().startsWith("malformed address: "), "a complaint: " + refused.getMessage());
            require(refused.getMessage().contains(" (expected: "), "a complaint: " + refused.getMessage());
            return;
        }
        hosts(uri.target()).forEach(UrlTarget::check);
        if (uri.target() instanceof Target.SocketFile file) {
            require(file.path().startsWith("/") && !uri.tls(), "a relative path, or one with TLS");
        }
        require(uri.database() >= 0, "database " + uri.database());
        require(uri.user() == null || uri.password() != null, "a user without a password");
        String shown = uri.toString();
        if (uri.password() != null) {
            require(!uri.password().isEmpty(), "an empty password");
            require(shown.contains(":***@"), "the password is shown");
        } else if (!(uri.target() instanceof Target.SocketFile) && shown.length() < LONGEST_SHOWN) {
            require(RedisUri.parse(shown).equals(uri), "read again, " + shown + " is another");
        }
    }

    private static List<Target.Host> hosts(Target target) {
        if (target instanceof Target.Sentinels group) {
            require(!group.master().isEmpty(), "an empty name of a master");
            return group.seeds();
        }
        if (target instanceof Target.Replicas group) {
            return group.seeds();
        }
        return target instanceof Target.Host host ? List.of(host) : List.of();
    }

    private static void check(Target.Host server) {
        require(!server.host().isEmpty(), "an empty host");
        require(server.host().indexOf('%') < 0, "a zone");
        require(server.port() >= 1 && server.port() <= 65_535, "port " + server.port());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
