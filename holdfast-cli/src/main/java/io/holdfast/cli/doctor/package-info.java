/** The doctor's trials: each kind of lock is taken, kept and handed over on a user's own servers. Imports the lock API. */
@NullMarked
package io.holdfast.cli.doctor;

import org.jspecify.annotations.NullMarked;
