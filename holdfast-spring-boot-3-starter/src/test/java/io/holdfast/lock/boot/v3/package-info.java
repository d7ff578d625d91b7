/** The starter on Spring Boot 3.5. */
package io.holdfast.lock.boot.v3;
