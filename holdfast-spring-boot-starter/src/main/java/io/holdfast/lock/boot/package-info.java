/** Auto-configuration for Spring Boot. */
@NullMarked
package io.holdfast.lock.boot;

import org.jspecify.annotations.NullMarked;
