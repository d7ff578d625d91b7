/** What is told of calls, holds and connections: to listeners, and to a recording. No listener is waited for. */
@NullMarked
package io.holdfast.lock.engine.tell;

import org.jspecify.annotations.NullMarked;
