/**
 * Keys and owners: what a lock is called at its stores, and by which fields its owners are known there.
 */
@NullMarked
package io.holdfast.lock.engine.key;

import org.jspecify.annotations.NullMarked;
