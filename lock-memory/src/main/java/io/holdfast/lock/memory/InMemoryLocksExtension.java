package io.holdfast.lock.memory;

import io.holdfast.lock.LockClient;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a JUnit test locks in memory: a parameter {@link LockClient} is a client of a store that only this test has, and a
 * parameter {@link InMemoryLocks} is that store. The methods before and after each test get the same ones. All clients of the store are
 * closed after the test.
 *
 * <pre>{@code
 * @ExtendWith(InMemoryLocksExtension.class)
 * class StockTest {
 *     @Test
 *     void anItemIsSoldOnce(LockClient client, InMemoryLocks locks) { ... }
 * }
 * }</pre>
 */
@SuppressWarnings("exports") // JUnit is there wherever this is used, and nowhere else.
public final class InMemoryLocksExtension implements ParameterResolver, AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(InMemoryLocksExtension.class);

    /** Made by JUnit, or by a test that registers it. */
    public InMemoryLocksExtension() {}

    /** Parameters of one test; constructors and what runs once for all tests have none, since no test may see another's locks. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent() && (type == LockClient.class || type == InMemoryLocks.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Given given = context.getStore(NAMESPACE).getOrComputeIfAbsent(Given.class, absent -> new Given(), Given.class);
        return parameter.getParameter().getType() == LockClient.class ? given.client : given.locks;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Given given = context.getStore(NAMESPACE).remove(Given.class, Given.class);
        if (given != null) {
            given.locks.close();
        }
    }

    /** What one test has. */
    private static final class Given {

        private final InMemoryLocks locks = InMemoryLocks.store();
        private final LockClient client = locks.newClient();
    }
}
