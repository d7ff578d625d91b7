package io.holdfast.lock.testkit;

import java.util.List;
import java.util.Optional;

/** Finds a server: the forced source, or the first one that has any. */
final class Installations {
    private Installations() {}

    /** The first that is found; a {@link RedisUnavailableException} tells why there is none. */
    static Installation find(Optional<RedisSource> forced) {
        List<RedisSource> candidates = forced.map(List::of).orElseGet(() -> List.of(RedisSource.values()));
        StringBuilder reasons = new StringBuilder();
        for (RedisSource candidate : candidates) {
            try {
                return locate(candidate);
            } catch (SourceUnavailableException e) {
                reasons.append("\n  ").append(candidate).append(": ").append(e.getMessage());
            }
        }
        throw new RedisUnavailableException("no Redis or Valkey server can be started"
                + (forced.isPresent() ? " from the forced source" : "") + ". Tried:" + reasons);
    }

    private static Installation locate(RedisSource source) throws SourceUnavailableException {
        return switch (source) {
            case PATH -> LocalInstallation.onPath();
            case DOCKER -> container();
            case EMBEDDED, OLDEST -> EmbeddedBinary.installation(source);
        };
    }

    /** Testcontainers is optional: without it, loading the one class that knows it fails. */
    private static Installation container() throws SourceUnavailableException {
        try {
            return ContainerInstallation.find();
        } catch (NoClassDefFoundError e) {
            throw new SourceUnavailableException(
                    "Testcontainers is not on the class path (add org.testcontainers:testcontainers)", e);
        }
    }
}
