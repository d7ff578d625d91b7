package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.SharedKeys;
import java.util.List;

/** A latch or a signal, which has keys and a channel of its own. */
interface SharedWatched extends Watched {

    SharedKeys keys();

    @Override
    default Named named() {
        return keys().named();
    }

    @Override
    default String key() {
        return keys().key();
    }

    @Override
    default int slot() {
        return keys().slot;
    }

    @Override
    default List<byte[]> channels() {
        return List.of(keys().channelBytes());
    }
}
