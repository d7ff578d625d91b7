package io.holdfast.lock.testkit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Real servers in JUnit tests.
 *
 * <p>Either registered in a field, when the test wants to describe its servers:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RedisExtension redis = RedisExtension.shared().configure(builder -> builder.aof(true));
 *
 * @Test
 * void survives_a_crash() {
 *     redis.server().kill();
 * }
 * }</pre>
 *
 * <p>or with {@link RedisTest} (or {@code @ExtendWith(RedisExtension.class)}) on the class. Both ways inject parameters
 * of constructors, tests and life-cycle methods: a {@link RedisServer} (the first server), {@link RedisServers} (all),
 * a {@link RawRedis} (a connection to the first server, closed after the test). With {@code RedisTest}, fields of the
 * first two types are set too, if they are not final and null.
 *
 * <p>By default the servers live as long as the class and are {@linkplain RedisServer#reset() reset} before each test;
 * {@link #freshPerTest()} gives each test new ones. When a test fails, the end of each server's log is attached to the
 * failure. Tests that run in parallel should not share servers.
 */
public final class RedisExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver,
                TestExecutionExceptionHandler {
    private static final int LOG_LINES_SHOWN = 30;

    private static volatile boolean noConnectionsLeft;

    private final boolean annotated;
    private int count;
    private boolean freshPerTest;
    private UnaryOperator<RedisServerBuilder> settings;
    private @Nullable RedisServers running;
    private @Nullable Class<?> sharingClass;
    private @Nullable RawRedis connection;

    /** For JUnit; {@link RedisTest} on the class has the settings. In code, use {@link #shared()}. */
    public RedisExtension() {
        this(true, 1, false, builder -> builder);
    }

    private RedisExtension(
            boolean annotated, int count, boolean freshPerTest, UnaryOperator<RedisServerBuilder> settings) {
        this.annotated = annotated;
        this.count = count;
        this.freshPerTest = freshPerTest;
        this.settings = settings;
    }

    /** One server, shared by the tests of the class and reset before each. */
    public static RedisExtension shared() {
        return many(1);
    }

    /** Several independent servers, shared by the tests of the class and reset before each. */
    public static RedisExtension many(int servers) {
        return new RedisExtension(false, servers, false, builder -> builder);
    }

    /** The same, but with new servers for each test. */
    public RedisExtension freshPerTest() {
        return new RedisExtension(false, count, true, settings);
    }

    /** The same, with settings for every server. */
    public RedisExtension configure(UnaryOperator<RedisServerBuilder> settings) {
        return new RedisExtension(false, count, freshPerTest, settings);
    }

    /**
     * From now on, in this JVM, a test class fails whose servers still have connections, but for a moment, when all of
     * its tests are over. Clients that a class shares are closed in {@code @AfterAll}.
     */
    public static void expectNoConnectionsLeft() {
        noConnectionsLeft = true;
    }

    /** The server, or the first of several. */
    public RedisServer server() {
        return servers().get(0);
    }

    /** All servers. */
    public RedisServers servers() {
        RedisServers current = running;
        if (current == null) {
            throw new IllegalStateException("no server runs now: they are there from before the first @BeforeEach"
                    + " (static extension: @BeforeAll) until after the last @AfterEach (@AfterAll)");
        }
        return current;
    }

    /** The address of the server, or of the first of several. */
    public String url() {
        return server().url();
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        Class<?> testClass = context.getRequiredTestClass();
        readAnnotation(testClass);
        if (!freshPerTest && sharingClass == null) {
            start();
            sharingClass = testClass;
            injectFields(testClass, null);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        if (sharingClass != null) {
            servers().forEach(RedisServer::reset);
        } else if (running == null) {
            start();
        }
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            injectFields(instance.getClass(), instance);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        RawRedis opened = connection;
        if (opened != null) {
            connection = null;
            opened.close();
        }
        if (sharingClass == null) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A nested class uses the servers of the class around it, and ends before it.
        if (context.getRequiredTestClass() == sharingClass) {
            sharingClass = null;
            try {
                if (noConnectionsLeft) {
                    servers().forEach(ConnectionsLeft::awaitNone);
                }
            } finally {
                stop();
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == RedisServer.class || type == RedisServers.class || type == RawRedis.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (running == null) {
            start();
        }
        Class<?> type = parameter.getParameter().getType();
        if (type == RedisServers.class) {
            return servers();
        }
        return type == RedisServer.class ? server() : connection();
    }

    /** Attaches what the servers printed to the failure, where every report shows it. */
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        RedisServers current = running;
        if (current != null) {
            current.forEach(server -> failure.addSuppressed(new ServerLog(server, LOG_LINES_SHOWN)));
        }
        throw failure;
    }

    private RawRedis connection() {
        RawRedis current = connection;
        if (current == null) {
            current = server().connect();
            connection = current;
        }
        return current;
    }

    private void start() {
        running = RedisServers.start(count, settings);
    }

    private void stop() {
        RedisServers current = running;
        if (current != null) {
            running = null;
            current.close();
        }
    }

    private void readAnnotation(Class<?> testClass) {
        RedisTest annotation = testClass.getAnnotation(RedisTest.class);
        if (annotated && annotation != null) {
            count = annotation.servers();
            freshPerTest = annotation.freshPerTest();
            settings = builder -> apply(annotation, builder);
        }
    }

    private static RedisServerBuilder apply(RedisTest annotation, RedisServerBuilder builder) {
        builder.mode(annotation.mode()).tls(annotation.tls()).aof(annotation.aof());
        for (String line : annotation.options()) {
            String[] words = line.trim().split(" +", -1);
            builder.option(words[0], Arrays.copyOfRange(words, 1, words.length));
        }
        return builder;
    }

    private void injectFields(Class<?> testClass, @Nullable Object instance) throws IllegalAccessException {
        if (!annotated) {
            return;
        }
        for (Class<?> type = testClass; type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean wanted = field.getType() == RedisServer.class || field.getType() == RedisServers.class;
                if (wanted
                        && !Modifier.isFinal(field.getModifiers())
                        && Modifier.isStatic(field.getModifiers()) == (instance == null)) {
                    field.setAccessible(true);
                    if (isUnset(field.get(instance))) {
                        field.set(instance, field.getType() == RedisServer.class ? server() : servers());
                    }
                }
            }
        }
    }

    /** A closed server was injected for an earlier test into the same instance. */
    private static boolean isUnset(@Nullable Object value) {
        return value == null
                || (value instanceof RedisServer server && server.isClosed())
                || (value instanceof RedisServers servers && servers.get(0).isClosed());
    }
}
