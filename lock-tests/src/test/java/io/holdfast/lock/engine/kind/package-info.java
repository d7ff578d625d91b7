/** The scripts, tried at real servers; package-private parts need tests in their package. */
package io.holdfast.lock.engine.kind;
