package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RCountDownLatchAsync;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFencedLockAsync;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RLockAsync;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.api.RedissonClient;

/** A program that uses Redisson's locks compiles when its imports are changed. */
class SignaturesTest {

    /** What a client of Redisson has to do with locks. */
    private static final Set<String> OF_CLIENT = Set.of(
            "getLock(String)",
            "getFencedLock(String)",
            "getCountDownLatch(String)",
            "getMultiLock(RLock[])",
            "getRedLock(RLock[])",
            "shutdown()",
            "isShutdown()",
            "getId()");

    static Stream<Arguments> interfaces() {
        return Stream.of(
                Arguments.of(org.redisson.api.RLock.class, RLock.class),
                Arguments.of(org.redisson.api.RLockAsync.class, RLockAsync.class),
                Arguments.of(org.redisson.api.RFencedLock.class, RFencedLock.class),
                Arguments.of(org.redisson.api.RFencedLockAsync.class, RFencedLockAsync.class),
                Arguments.of(org.redisson.api.RCountDownLatch.class, RCountDownLatch.class),
                Arguments.of(org.redisson.api.RCountDownLatchAsync.class, RCountDownLatchAsync.class));
    }

    @ParameterizedTest
    @MethodSource("interfaces")
    void everyMethodOfTheirLocksIsThere(Class<?> theirs, Class<?> ours) {
        assertThat(signatures(ours.getMethods())).containsAll(signatures(theirs.getDeclaredMethods()));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void everyMethodOfTheirClientThatLocksNeedIsThere(Class<?> client) {
        assertThat(signatures(client.getMethods()))
                .extracting(signature ->
                        signature.substring(signature.indexOf(' ') + 1).replaceAll(" throws.*", ""))
                .containsAll(OF_CLIENT);
    }

    static Stream<Class<?>> clients() {
        return Stream.of(RedissonClient.class, LockClient.class);
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
