package io.holdfast.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Applications without what is optional: by a class path of its own that lacks it. */
@RedisTest
@Tag("proof")
@Tag("once")
class AbsentLibrariesTest {

    /** Runs in a class loader that sees nothing of ours but by its own class path. */
    public static final class Application {

        @EnableLocks
        static class Configuration {}

        static class Service {

            @Locked("#{#key}")
            public String now(String key) {
                LockAssert.assertLocked(key);
                return "now";
            }

            @Locked("#{#key}")
            public CompletionStage<String> later(String key) {
                return CompletableFuture.completedFuture("later");
            }
        }

        private Application() {}

        public static String run(String url) throws Exception {
            try (LockClient client = LockClient.connect(url);
                    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
                context.setClassLoader(Application.class.getClassLoader());
                context.registerBean("locks", LockClient.class, () -> client);
                context.registerBean(Service.class);
                context.register(Configuration.class);
                context.refresh();
                Service service = context.getBean(Service.class);
                String template = context.getBean(LockTemplate.class).call("k", hold -> service.now("k"));
                return service.now("k") + " "
                        + service.later("k").toCompletableFuture().get() + " " + template;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nothing, none",
        "spring-tx, org.springframework.transaction.TransactionManager",
        "reactor-core, reactor.core.publisher.Mono",
        "reactor-core|reactive-streams|mutiny, org.reactivestreams.Publisher",
        "kotlin.*|kotlinx.*, kotlin.Unit",
        "spring-tx|spring-jdbc|reactor-core|reactive-streams|mutiny|kotlin.*|kotlinx.*, org.reactivestreams.Publisher"
    })
    void locksWorkWithout(String libraries, String absent, RedisServer redis) throws Exception {
        Pattern left = Pattern.compile("(" + libraries + ")-[0-9].*[.]jar");
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
            Path file = Path.of(entry);
            if (!left.matcher(file.getFileName().toString()).matches()) {
                path.add(file.toUri().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            assertThat(loader.getResource(absent.replace('.', '/') + ".class")).isNull();
            Class<?> application = loader.loadClass(Application.class.getName());
            Object result = application.getMethod("run", String.class).invoke(null, redis.url());
            assertThat(result).isEqualTo("now later now");
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
