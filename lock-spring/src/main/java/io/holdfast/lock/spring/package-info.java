/** Locks by annotation, and a template, for Spring. */
@NullMarked
package io.holdfast.lock.spring;

import org.jspecify.annotations.NullMarked;
