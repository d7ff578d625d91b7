/**
 * A checker of histories: were these calls, with these answers at these times, possible for a correct lock? It searches
 * for an order in which they could have happened one after the other, and shows the call for which there is none.
 *
 * <p>It knows nothing of where a history comes from: real clients, a simulator, or a test that writes it down. Imports
 * the JDK only.
 */
@NullMarked
package io.holdfast.lock.tests.history;

import org.jspecify.annotations.NullMarked;
