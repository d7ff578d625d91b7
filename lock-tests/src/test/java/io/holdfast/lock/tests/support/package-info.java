/** What the tests share: clients that clean up after themselves, owners in every form, and a look at the server. */
@NullMarked
package io.holdfast.lock.tests.support;

import org.jspecify.annotations.NullMarked;
