package io.holdfast.lock.micrometer;

import java.util.Locale;

/** Constants as tags have them. */
final class Words {

    private Words() {}

    /** {@code KEY_GONE} as {@code key.gone}. */
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
