package io.holdfast.lock.boot;

import io.holdfast.lock.spring.EnableLocks;
import io.holdfast.lock.spring.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;

/** {@code @Locked} methods and the {@link LockTemplate}, unless the application has {@link EnableLocks} itself. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(LockTemplate.class)
@EnableLocks
public final class HoldfastLockedAutoConfiguration {}
