package io.holdfast.lock.testkit;

import java.util.List;
import java.util.Optional;

/** Finds a server: the forced source, or the first one that has any. */
final class Installations {
    private Installations() {}

    /** @throws RedisUnavailableException when no source that may be used has a server */
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
            case DOCKER -> throw new SourceUnavailableException("not built yet");
            case EMBEDDED -> throw new SourceUnavailableException("not built yet");
        };
    }
}
