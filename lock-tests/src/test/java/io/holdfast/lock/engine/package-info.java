/** Parts of the engine that are tried with a logger in place; package-private parts need tests in their package. */
package io.holdfast.lock.engine;
