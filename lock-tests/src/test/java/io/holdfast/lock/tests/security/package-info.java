/** What a server must allow, and nothing beside it. */
package io.holdfast.lock.tests.security;
