package io.holdfast.lock.boot;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.text.Printable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why a client could not connect at the start, and what would do. A call for a lock that fails is none of its concern. */
final class ConnectionFailureAnalyzer extends AbstractFailureAnalyzer<LockException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LockException cause) {
        String action = cause.name().isPresent() ? null : action(cause.reason());
        return action == null
                ? null
                : new FailureAnalysis(
                        "Holdfast can't connect: " + Printable.message(cause.getMessage()), action, cause);
    }

    private static @Nullable String action(FailureReason reason) {
        return switch (reason) {
            case WRONGPASS, NOAUTH ->
                "Correct the user and the password: holdfast.user and holdfast.password, those within"
                        + " holdfast.url, or spring.data.redis.username and spring.data.redis.password.";
            case NOPERM -> "Give the user the rights that docs/acl.md lists.";
            case TLS ->
                "Check that the address begins with rediss:// where the server speaks TLS, and with redis:// where it"
                        + " does not; and that its certificate is trusted: holdfast.tls.trust-certificates or holdfast.tls.bundle.";
            case SENTINEL ->
                "The address leads to a Sentinel. Write it as redis-sentinel://host:26379/name, with the name that"
                        + " the Sentinels have for the primary; or set spring.data.redis.sentinel.master and .nodes.";
            case SERVER_ERROR ->
                "Correct what the sentence names. With Sentinels that is mostly the name of the primary: the end of"
                        + " holdfast.url, or spring.data.redis.sentinel.master. A server that is not part of a cluster takes"
                        + " redis://host:6379, or spring.data.redis.host and no spring.data.redis.cluster.nodes.";
            case CLUSTERDOWN ->
                "Mend the cluster until each slot has a primary: redis-cli --cluster check host:6379 says what it lacks."
                        + " With holdfast.lazy=true the application starts before that.";
            case NOT_REDIS, PROTOCOL ->
                "Check the port: what answers there is no Redis or Valkey server. A server with TLS"
                        + " takes an address that begins with rediss://.";
            case UNREACHABLE, NO_ANSWER, DISCONNECTED, NO_MAJORITY ->
                "Start the server, or correct holdfast.url or spring.data.redis.*; a server that speaks TLS takes rediss://,"
                        + " on a port without TLS write redis://. With holdfast.lazy=true the application starts without"
                        + " the server.";
            default -> null;
        };
    }
}
