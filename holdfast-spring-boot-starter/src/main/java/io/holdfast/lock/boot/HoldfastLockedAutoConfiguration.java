package io.holdfast.lock.boot;

import io.holdfast.lock.spring.EnableLocks;
import io.holdfast.lock.spring.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** {@code @Locked} methods and a {@link LockTemplate}, to which one of the application's own is preferred. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableLocks
public final class HoldfastLockedAutoConfiguration {}
