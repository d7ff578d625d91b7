package io.holdfast.lock.boot;

import io.holdfast.lock.spring.EnableLocks;
import io.holdfast.lock.spring.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/**
 * {@code @Locked} methods and a {@link LockTemplate}, to which one of the application's own is preferred. They are there with
 * {@code holdfast.enabled=false} too: without them methods would run without their locks, and nothing would say so.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@EnableLocks
public final class HoldfastLockedAutoConfiguration {}
