package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the keys and channels of a client's locks are called, as far as that is known before there is a lock.
 *
 * @param keys one of each kind, in one slot, that no lock uses; the commands of the scripts are used on the first
 * @param channel one that no lock uses
 * @param keyPatterns which keys the client uses, as ACL rules name them
 * @param channelPattern the same of its channels
 * @param areAll whether these are all keys of a lock
 */
record NamesInUse(List<String> keys, String channel, List<String> keyPatterns, String channelPattern, boolean areAll) {

    static NamesInUse of(LockOptions options) {
        String own = options.prefix() + ":diagnosis";
        String ownPattern = options.prefix() + ":*";
        KeyLayout layout = KeyLayout.of(options);
        if (!layout.sharesWithRedisson()) {
            return new NamesInUse(List.of(own), own, List.of(ownPattern), ownPattern, true);
        }
        // The key of a lock is its name there, and which names there will be is not known.
        LockKeys lock = layout.keys(own);
        return new NamesInUse(
                List.of(lock.counter(), lock.clock()),
                lock.channel(),
                List.of(KeyLayout.REDISSON_COUNTERS, ownPattern),
                KeyLayout.REDISSON_CHANNELS,
                false);
    }

    /** The keys, as a sentence names them. */
    String spokenKeys() {
        return String.join(" and ", keyPatterns);
    }

    /** What has to be among a user's rules for the keys. */
    String keyRules() {
        return keyPatterns.stream().map(pattern -> "~" + pattern).collect(Collectors.joining(" "))
                + (areAll ? "" : ", and patterns for the names of your locks,");
    }
}
