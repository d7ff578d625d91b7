package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.spi.Survey;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the keys and channels of a client's locks are called, as far as that is known before there is a lock.
 *
 * @param layout how locks are called
 * @param keyPatterns which keys the client uses, as ACL rules name them
 * @param channelPattern the same of its channels
 */
record NamesInUse(KeyLayout layout, List<String> keyPatterns, String channelPattern) {

    private static final String END = ":diagnosis";

    static NamesInUse of(LockOptions options) {
        KeyLayout layout = KeyLayout.of(options);
        String own = options.prefix() + ":*";
        return layout.sharesWithRedisson()
                ? new NamesInUse(layout, List.of(KeyLayout.REDISSON_COUNTERS, own), KeyLayout.REDISSON_CHANNELS)
                : new NamesInUse(layout, List.of(own), own);
    }

    /** Whether the patterns are for all keys of a lock: in the redisson scheme, which names there will be is not known. */
    boolean areAll() {
        return !layout.sharesWithRedisson();
    }

    /** A key of each kind, and a channel, that no lock uses; the commands of the scripts are used on the first key. */
    Survey.Names in(int slot) {
        String tag = slot == Survey.ANY_SLOT ? "" : "{" + Slots.tag(slot) + "}";
        if (areAll()) {
            String own = layout.prefix() + (tag.isEmpty() ? "" : ":") + tag + END;
            return new Survey.Names(List.of(own), own);
        }
        LockKeys lock = layout.keys(tag + layout.prefix() + END);
        return new Survey.Names(List.of(lock.counter(), lock.clock()), lock.channel());
    }

    /** The keys, as a sentence names them. */
    String spokenKeys() {
        return String.join(" and ", keyPatterns);
    }

    /** What has to be among a user's rules for the keys. */
    String keyRules() {
        return keyPatterns.stream().map(pattern -> "~" + pattern).collect(Collectors.joining(" "))
                + (areAll() ? "" : ", and patterns for the names of your locks,");
    }
}
