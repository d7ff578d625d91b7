package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.figures.RuntimeClassPath;
import io.holdfast.lock.tests.harness.ChildJvm;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An address with TLS, on a class path without {@code netty-handler}: one sentence names it, and nothing is opened. */
@Tag("proof")
class TlsWithoutJarTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rediss://127.0.0.1:1",
                "rediss-replicas://127.0.0.1:1,127.0.0.1:2",
                "rediss-sentinel://127.0.0.1:1/orders"
            })
    void theMissingArtifactIsNamedBeforeAnythingIsOpened(String url, @TempDir Path scratch) throws Exception {
        Path modules = Path.of("").toAbsolutePath().getParent();
        List<String> path = new ArrayList<>();
        RuntimeClassPath.find(modules, scratch).forEach(jar -> path.add(jar.toString()));
        path.add(location(ConnectProgram.class));
        assertThat(path).noneMatch(jar -> jar.contains("netty-handler"));

        try (ChildJvm child = ChildJvm.startOn(String.join(File.pathSeparator, path), ConnectProgram.class, url)) {
            assertThat(child.hear("refused: "))
                    .isEqualTo("java.lang.IllegalStateException: TLS (rediss://) can't be used here:"
                            + " io.netty:netty-handler is not on the class path");
            assertThat(child.hear("threads: ")).isEqualTo("[]");
            assertThat(child.awaitEnd(Duration.ofSeconds(20))).isZero();
        }
    }

    private static String location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    /** Connects, and says how that ended. */
    static final class ConnectProgram {

        private ConnectProgram() {}

        public static void main(String[] arguments) {
            try {
                io.holdfast.lock.LockClient.connect(arguments[0]).close();
                System.out.println("connected");
            } catch (RuntimeException | Error refused) {
                System.out.println("refused: " + refused);
            }
            Set<String> threads = Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("holdfast-"))
                    .collect(Collectors.toSet());
            System.out.println("threads: " + threads);
        }
    }
}
