/**
 * What Spring Boot 3.5 has elsewhere than Spring Boot 4: health, and the details of a Redis connection. Compiled against 3.5; it
 * may import the API and what the starter offers to applications.
 */
@NullMarked
package io.holdfast.lock.boot.v3;

import org.jspecify.annotations.NullMarked;
