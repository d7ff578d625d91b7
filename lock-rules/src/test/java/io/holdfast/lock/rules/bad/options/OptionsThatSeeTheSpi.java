package io.holdfast.lock.rules.bad.options;

import io.holdfast.lock.spi.Fault;
import org.jspecify.annotations.Nullable;

class OptionsThatSeeTheSpi {
    @Nullable
    Fault fault;
}
