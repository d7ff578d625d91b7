package io.holdfast.lock.rules.bad.spi;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

class SpiWithLogger {
    @Nullable
    Logger logger;
}
