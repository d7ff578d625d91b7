/** What a build shows of its tests while they run. JUnit Platform and JDK only. */
@NullMarked
package io.holdfast.lock.testkit.console;

import org.jspecify.annotations.NullMarked;
