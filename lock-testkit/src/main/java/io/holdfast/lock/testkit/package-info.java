/**
 * Real Redis and Valkey servers for tests, and the faults to try on them.
 *
 * <p>Everything here runs actual servers: there is no mock. {@link io.holdfast.lock.testkit.RedisServer} starts one
 * and can pause, kill and restart it, {@link io.holdfast.lock.testkit.RedisServers} starts several,
 * {@link io.holdfast.lock.testkit.ReplicatedPair} a primary with replicas,
 * {@link io.holdfast.lock.testkit.SentinelGroup} such a group with Sentinels,
 * {@link io.holdfast.lock.testkit.ServerCluster} a cluster whose slots can be moved,
 * {@link io.holdfast.lock.testkit.RawRedis} looks at one from outside, {@link io.holdfast.lock.testkit.FaultProxy}
 * misbehaves between a client and a server, and {@link io.holdfast.lock.testkit.RedisExtension} brings all of it into
 * JUnit.
 *
 * <p>This package imports the JDK, and nothing else of Holdfast, so that it can judge Holdfast from outside. Three
 * classes reach further, one each: {@code RedisExtension} to JUnit, {@code EmbeddedBinary} to the bundled servers,
 * {@code ContainerInstallation} to Testcontainers. The first and the last are optional at run time.
 */
@NullMarked
package io.holdfast.lock.testkit;

import org.jspecify.annotations.NullMarked;
