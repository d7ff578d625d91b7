package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed client leaves nothing in the JVM: no thread, and no class once its loader is dropped. */
@RedisTest
class UnloadTest {

    /** No native transport: unloading a native library would take it from the other tests of this JVM, too. */
    private static final Pattern LIBRARY = Pattern.compile(
            ".*(lock-core|lock-netty-client|netty-(common|buffer|resolver|transport)|slf4j-api|jspecify)"
                    + "(-[0-9].*\\.jar|/target/.*)");

    /** The thread that used the client lives on, as the threads of an application server do. */
    @Test
    void aClassLoaderIsCollectableAfterItsClientWasClosed(RedisServer redis) throws Exception {
        ExecutorService server = Executors.newSingleThreadExecutor();
        try {
            WeakReference<ClassLoader> loader =
                    server.submit(() -> useInIsolation(redis.url())).get(30, TimeUnit.SECONDS);

            // The last of them says that it is done, and has a moment to live after that.
            await().until(() -> holdfastThreads(loader.get()).isEmpty());
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                System.gc();
                return loader.get() == null;
            });
        } finally {
            server.shutdownNow();
        }
    }

    /** The equality that the compiler gives a record keeps the loader of one that was compared. */
    @ParameterizedTest
    @ValueSource(strings = {"io.holdfast.lock.spi.ServerRun", "io.holdfast.lock.netty.address.Target$Host"})
    void aClassLoaderIsCollectableThoughItsRecordsWereCompared(String type) throws Exception {
        WeakReference<ClassLoader> loader = compareInIsolation(type);
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return loader.get() == null;
        });
    }

    private static WeakReference<ClassLoader> compareInIsolation(String type) throws Exception {
        URLClassLoader loader = new URLClassLoader(libraries(), ClassLoader.getPlatformClassLoader());
        Constructor<?> constructor = Stream.of(Class.forName(type, true, loader).getConstructors())
                .min(Comparator.comparing(Constructor::getParameterCount))
                .orElseThrow();
        Object[] values = Stream.of(constructor.getParameterTypes())
                .map(part -> part == String.class ? "a" : part == int.class ? (Object) 1 : 1L)
                .toArray();
        assertThat(constructor.newInstance(values)).isEqualTo(constructor.newInstance(values));
        loader.close();
        return new WeakReference<>(loader);
    }

    private static WeakReference<ClassLoader> useInIsolation(String url) throws Exception {
        URLClassLoader loader = new URLClassLoader(libraries(), ClassLoader.getPlatformClassLoader());
        Class<?> clients = Class.forName("io.holdfast.lock.LockClient", true, loader);
        assertThat(clients.getClassLoader()).isSameAs(loader);
        Object client = clients.getMethod("connect", String.class).invoke(null, url);
        Object lock = clients.getMethod("getLock", String.class).invoke(client, "job");
        Class<?> locks = Class.forName("io.holdfast.lock.RLock", true, loader);
        locks.getMethod("lock").invoke(lock);
        locks.getMethod("lock").invoke(lock);
        Future<?> waiting = (Future<?>) locks.getMethod("acquireAsync").invoke(lock);
        locks.getMethod("unlock").invoke(lock);
        locks.getMethod("unlock").invoke(lock);
        ((AutoCloseable) waiting.get(5, TimeUnit.SECONDS)).close();
        clients.getMethod("inspect", String.class).invoke(client, "job");
        clients.getMethod("close").invoke(client);
        loader.close();
        return new WeakReference<>(loader);
    }

    private static URL[] libraries() throws Exception {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<URL> urls = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator)) {
            if (LIBRARY.matcher(entry).matches() && !entry.endsWith("test-classes")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        assertThat(urls).hasSizeGreaterThan(5);
        return urls.toArray(URL[]::new);
    }

    private static List<String> holdfastThreads(ClassLoader loader) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getContextClassLoader() == loader)
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-"))
                .toList();
    }
}
