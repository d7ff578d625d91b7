/**
 * What holds for the sources and the classes of the whole project: layers, banned calls, tidiness.
 *
 * <p>Every rule is shown to bite: {@code bad} is a small code base in which each layering rule is broken once, and the
 * tidy rules are fed with bad text. Imports ArchUnit, and sees every module.
 */
@NullMarked
package io.holdfast.lock.rules;

import org.jspecify.annotations.NullMarked;
