package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However the JVM ends, its servers and their files go with it. */
@Tag("proof")
class CleanUpTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void aKilledJvmLeavesNoServerAndNoFiles() throws IOException {
        try (ChildJvm child = ChildJvm.start(ChildJvm.Holder.class, "EMBEDDED")) {
            Server server = Server.of(child);
            child.kill();
            server.awaitGone();
        }
    }

    @Test
    void notEvenWhenTheServerIsPaused() throws IOException {
        try (ChildJvm child = ChildJvm.start(ChildJvm.Holder.class, "EMBEDDED")) {
            Server server = Server.of(child);
            child.tell('p');
            assertThat(child.readLine()).isEqualTo("paused");
            child.kill();
            server.awaitGone();
        }
    }

    @Test
    void norWhenTheProgramEndsWithoutClosing() throws IOException {
        try (ChildJvm child = ChildJvm.start(ChildJvm.Holder.class, "EMBEDDED")) {
            Server server = Server.of(child);
            child.tell('x');
            server.awaitGone();
        }
    }

    @Test
    void aKilledJvmLeavesNothingOfASentinelGroup() throws IOException {
        try (ChildJvm child = ChildJvm.start(ChildJvm.GroupHolder.class)) {
            List<Server> nodes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                nodes.add(Server.next(child));
            }
            child.kill();
            nodes.forEach(Server::awaitGone);
        }
    }

    @Test
    void aKilledJvmLeavesNothingOfACluster() throws IOException {
        try (ChildJvm child = ChildJvm.start(ChildJvm.ClusterHolder.class)) {
            List<Server> nodes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                nodes.add(Server.next(child));
            }
            child.kill();
            nodes.forEach(Server::awaitGone);
        }
    }

    @Test
    void aKilledJvmLeavesNoContainer() throws IOException {
        ContainerEngine.assumePresent();
        try (ChildJvm child = ChildJvm.start(ChildJvm.Holder.class, "DOCKER")) {
            int port = Integer.parseInt(child.readLine());
            assertThat(isListening(port)).isTrue();
            child.kill();
            await().atMost(LIMIT).until(() -> !isListening(port));
        }
    }

    private static boolean isListening(int port) {
        try (RawRedis raw = RawRedis.connect(ContainerEngine.host(), port)) {
            return "PONG".equals(raw.timeout(Duration.ofSeconds(1)).command("PING"));
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private record Server(long pid, Path directory) {
        static Server of(ChildJvm child) throws IOException {
            child.readLine();
            return next(child);
        }

        static Server next(ChildJvm child) throws IOException {
            Server server = new Server(Long.parseLong(child.readLine()), Path.of(child.readLine()));
            assertThat(ProcessHandle.of(server.pid)).isPresent();
            assertThat(server.directory).isDirectory();
            return server;
        }

        void awaitGone() {
            await().atMost(LIMIT).until(() -> ProcessHandle.of(pid).isEmpty() && Files.notExists(directory));
        }
    }
}
