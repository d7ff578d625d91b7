/**
 * What the doctor tries: each kind of lock, on servers of users and behind profiles of providers. Imports the lock API, the test
 * kit and the console.
 */
@NullMarked
package io.holdfast.lock.examples.doctor;

import org.jspecify.annotations.NullMarked;
