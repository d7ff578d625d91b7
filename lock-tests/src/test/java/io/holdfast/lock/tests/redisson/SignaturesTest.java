package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RCountDownLatchAsync;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFencedLockAsync;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RLockAsync;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RPermitExpirableSemaphoreAsync;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.RSemaphoreAsync;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;

/** A program that uses Redisson's locks compiles when its imports are changed, unless it calls what docs/redisson.md says is not there. */
class SignaturesTest {

    /** What a client of Redisson has to do with locks. */
    private static final Set<String> OF_CLIENT = Set.of(
            "getLock(String)",
            "getFencedLock(String)",
            "getFairLock(String)",
            "getReadWriteLock(String)",
            "getSemaphore(String)",
            "getPermitExpirableSemaphore(String)",
            "getCountDownLatch(String)",
            "getMultiLock(RLock[])",
            "getRedLock(RLock[])",
            "shutdown()",
            "isShutdown()",
            "getId()");

    static Stream<Arguments> interfaces() {
        return Stream.of(
                pair(org.redisson.api.RLock.class, RLock.class),
                pair(org.redisson.api.RLockAsync.class, RLockAsync.class),
                pair(org.redisson.api.RFencedLock.class, RFencedLock.class),
                pair(org.redisson.api.RFencedLockAsync.class, RFencedLockAsync.class),
                pair(org.redisson.api.RReadWriteLock.class, RReadWriteLock.class),
                pair(
                        org.redisson.api.RSemaphore.class,
                        RSemaphore.class,
                        "releaseIfExists(int)",
                        "trySetPermits(int,Duration)"),
                pair(
                        org.redisson.api.RSemaphoreAsync.class,
                        RSemaphoreAsync.class,
                        "releaseIfExistsAsync(int)",
                        "trySetPermitsAsync(int,Duration)"),
                pair(
                        org.redisson.api.RPermitExpirableSemaphore.class,
                        RPermitExpirableSemaphore.class,
                        "tryRelease(List)",
                        "getLeaseTime(String)"),
                pair(
                        org.redisson.api.RPermitExpirableSemaphoreAsync.class,
                        RPermitExpirableSemaphoreAsync.class,
                        "tryReleaseAsync(List)",
                        "getLeaseTimeAsync(String)"),
                pair(org.redisson.api.RCountDownLatch.class, RCountDownLatch.class),
                pair(org.redisson.api.RCountDownLatchAsync.class, RCountDownLatchAsync.class));
    }

    /** @param notThere the methods of theirs of which docs/redisson.md says that ours has none */
    private static Arguments pair(Class<?> theirs, Class<?> ours, String... notThere) {
        return Arguments.of(theirs, ours, List.of(notThere));
    }

    @ParameterizedTest
    @MethodSource("interfaces")
    void everyMethodOfTheirLocksIsThere(Class<?> theirs, Class<?> ours, List<String> notThere) {
        Set<String> missing = signatures(theirs.getDeclaredMethods());
        missing.removeAll(signatures(ours.getMethods()));
        assertThat(missing).extracting(SignaturesTest::call).containsExactlyInAnyOrderElementsOf(notThere);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void everyMethodOfTheirClientThatLocksNeedIsThere(Class<?> client) {
        assertThat(signatures(client.getMethods()))
                .extracting(SignaturesTest::call)
                .containsAll(OF_CLIENT);
    }

    static Stream<Class<?>> clients() {
        return Stream.of(RedissonClient.class, LockClient.class);
    }

    /** A signature without what comes back, and what is thrown. */
    private static String call(String signature) {
        return signature.substring(signature.indexOf(' ') + 1).replaceAll(" throws.*", "");
    }

    /** By simple names, since only the imports differ. */
    private static Set<String> signatures(Method[] methods) {
        return Arrays.stream(methods).map(SignaturesTest::signature).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        String parameters = names(method.getParameterTypes());
        String thrown = names(method.getExceptionTypes());
        return method.getReturnType().getSimpleName()
                + ' '
                + method.getName()
                + '('
                + parameters
                + ')'
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String names(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getSimpleName).collect(Collectors.joining(","));
    }
}
