/** How text that comes from elsewhere is shown to people. Every other package may use it; it imports the JDK only. */
@NullMarked
package io.holdfast.lock.text;

import org.jspecify.annotations.NullMarked;
