/**
 * How servers are set up, and what that means for locks: which rights a client needs, and what is a finding.
 */
@NullMarked
package io.holdfast.lock.engine.preflight;

import org.jspecify.annotations.NullMarked;
