package io.holdfast.lock.testkit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers. The one class that knows Testcontainers, which finds the engine and, by its reaper, cleans up
 * after a killed JVM.
 *
 * <p>A container is driven through the engine's own interface: it has to survive its server's death, be stopped by
 * signals, and keep its port from one start to the next.
 */
final class ContainerInstallation implements Installation {
    static final String IMAGE_PROPERTY = "holdfast.redis.image";
    static final String DEFAULT_IMAGE = "redis:7.2-alpine";

    private static final long PULL_LIMIT_SECONDS = 120;
    private static final Map<String, RedisVersion> VERSIONS = new ConcurrentHashMap<>();
    private static final Map<String, String> UNUSABLE = new ConcurrentHashMap<>();
    private static @Nullable String noEngine;

    private static final String RUN = "exec $(command -v redis-server || command -v valkey-server) ";

    private final DockerClient engine;
    private final String image;
    private final RedisVersion version;

    private ContainerInstallation(DockerClient engine, String image, RedisVersion version) {
        this.engine = engine;
        this.image = image;
        this.version = version;
    }

    static ContainerInstallation find() throws SourceUnavailableException {
        DockerClient engine = engine();
        String image = DockerImageName.parse(System.getProperty(IMAGE_PROPERTY, DEFAULT_IMAGE))
                .asCanonicalNameString();
        String known = UNUSABLE.get(image);
        if (known != null) {
            throw new SourceUnavailableException(known);
        }
        try {
            pullIfMissing(engine, image);
            return new ContainerInstallation(engine, image, versionOf(engine, image));
        } catch (DockerException | IllegalArgumentException e) {
            String reason = "the image " + image + " can't be used: " + e.getMessage();
            UNUSABLE.put(image, reason);
            throw new SourceUnavailableException(reason, e);
        }
    }

    /** Looking costs minutes when the engine answers and the reaper's image can't be had, so a failure is remembered. */
    private static synchronized DockerClient engine() throws SourceUnavailableException {
        if (noEngine == null) {
            try {
                DockerClientFactory factory = DockerClientFactory.instance();
                if (factory.isDockerAvailable()) {
                    return factory.client();
                }
                noEngine = "no container engine answers";
            } catch (ContainerFetchException | IllegalStateException | DockerException e) {
                noEngine = "the container engine answers, and Testcontainers can't use it: " + e.getMessage();
            }
        }
        throw new SourceUnavailableException(noEngine);
    }

    private static void pullIfMissing(DockerClient engine, String image) throws SourceUnavailableException {
        try {
            engine.inspectImageCmd(image).exec();
        } catch (NotFoundException missing) {
            try {
                boolean pulled = engine.pullImageCmd(image)
                        .exec(new PullImageResultCallback())
                        .awaitCompletion(PULL_LIMIT_SECONDS, TimeUnit.SECONDS);
                if (!pulled) {
                    throw new SourceUnavailableException(
                            "the image " + image + " was not pulled within " + PULL_LIMIT_SECONDS + " s", missing);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SourceUnavailableException("interrupted while the image " + image + " was pulled", e);
            }
        }
    }

    /** Asks the server itself: images don't agree on where they say it. */
    private static RedisVersion versionOf(DockerClient engine, String image) {
        RedisVersion known = VERSIONS.get(image);
        if (known != null) {
            return known;
        }
        try (Container container = new Container(
                engine,
                describe(engine, image, RUN + "--version", Map.of()).exec().getId())) {
            container.start();
            container.awaitExit(Duration.ofSeconds(20));
            RedisVersion version = RedisVersion.parse(container.log());
            VERSIONS.put(image, version);
            return version;
        }
    }

    @Override
    public RedisSource source() {
        return RedisSource.DOCKER;
    }

    @Override
    public RedisVersion version() {
        return version;
    }

    @Override
    public ServerProcess prepare(ServerConfig config) {
        List<ExposedPort> inside = Stream.of(config.port(), config.plainPort())
                .distinct()
                .map(ExposedPort::tcp)
                .toList();
        Map<String, String> environment = new HashMap<>();
        environment.put("SERVER_CONFIG", config.file(version, "0.0.0.0", "/tmp"));
        StringBuilder writeFiles = new StringBuilder();
        config.files().forEach((name, content) -> {
            String variable = "SERVER_FILE_" + environment.size();
            environment.put(variable, content);
            writeFiles.append("printf %s \"$" + variable + "\" > /tmp/" + name + " && ");
        });
        CreateContainerCmd command = describe(
                        engine,
                        image,
                        writeFiles + "printf %s \"$SERVER_CONFIG\" > /tmp/server.conf && " + RUN + "/tmp/server.conf "
                                + config.mode().flag(),
                        environment)
                .withExposedPorts(inside)
                .withHostConfig(HostConfig.newHostConfig()
                        .withPortBindings(inside.stream()
                                .map(port -> new PortBinding(published(port.getPort()), port))
                                .toList()));
        return new Container(engine, command.exec().getId());
    }

    /** A container that the reaper of Testcontainers knows. */
    private static CreateContainerCmd describe(
            DockerClient engine, String image, String script, Map<String, String> environment) {
        Map<String, String> labels = new HashMap<>(DockerClientFactory.DEFAULT_LABELS);
        labels.put(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, DockerClientFactory.SESSION_ID);
        return engine.createContainerCmd(image)
                .withEntrypoint("sh", "-c", script)
                .withEnv(environment.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList())
                .withLabels(labels);
    }

    /** Published only where the tests reach it, if the engine is on this machine. */
    private static Ports.Binding published(int port) {
        String host = DockerClientFactory.instance().dockerHostIpAddress();
        return host.equals("localhost") || host.equals(FreePorts.HOST)
                ? Ports.Binding.bindIpAndPort(FreePorts.HOST, port)
                : Ports.Binding.bindPort(port);
    }

    /** One container, started as often as its server is. */
    private static final class Container implements ServerProcess {
        private final DockerClient engine;
        private final String id;
        private final @Nullable DeathWatch deathWatch;

        Container(DockerClient engine, String id) {
            this.engine = engine;
            this.id = id;
            this.deathWatch = watch(id);
        }

        /** The reaper may be switched off; with the engine's command at hand, there is a second way to clean up. */
        private static @Nullable DeathWatch watch(String id) {
            String address = DockerClientFactory.instance()
                    .getTransportConfig()
                    .getDockerHost()
                    .toString();
            return PosixShell.hasCommand("docker")
                    ? DeathWatch.over(List.of("docker", "-H", address, "rm", "--force", "--volumes", id))
                    : null;
        }

        @Override
        public void start() {
            try {
                engine.startContainerCmd(id).exec();
            } catch (InternalServerErrorException e) {
                String reason = String.valueOf(e.getMessage());
                if (reason.contains("already allocated") || reason.contains("address already in use")) {
                    throw new PortTakenException("the engine can't publish the server's port: " + reason);
                }
                throw e;
            }
        }

        @Override
        public void signal(Signal signal) {
            engine.killContainerCmd(id).withSignal("SIG" + signal).exec();
            if (signal == Signal.KILL) {
                awaitExit(Duration.ofSeconds(10));
            }
        }

        @Override
        public boolean isAlive() {
            try {
                return Boolean.TRUE.equals(state().getRunning());
            } catch (NotFoundException e) {
                return false;
            }
        }

        @Override
        public boolean awaitExit(Duration limit) {
            long startNanos = System.nanoTime();
            while (isAlive()) {
                if (System.nanoTime() - startNanos > limit.toNanos()) {
                    return false;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
            return true;
        }

        @Override
        public long pid() {
            Long pid = state().getPidLong();
            return pid == null ? 0 : pid;
        }

        @Override
        public String host() {
            return DockerClientFactory.instance().dockerHostIpAddress();
        }

        @Override
        public boolean sharesProcessIds() {
            return false;
        }

        @Override
        public Path directory() {
            throw new UnsupportedOperationException("the server's files are in the container " + id);
        }

        @Override
        public String log() {
            StringBuilder log = new StringBuilder();
            LogContainerCmd command =
                    engine.logContainerCmd(id).withStdOut(true).withStdErr(true).withTailAll();
            try {
                command.exec(new ResultCallback.Adapter<Frame>() {
                            @Override
                            public void onNext(Frame frame) {
                                log.append(new String(frame.getPayload(), StandardCharsets.UTF_8));
                            }
                        })
                        .awaitCompletion();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while reading the log of the container " + id, e);
            }
            return log.toString();
        }

        @Override
        public void close() {
            engine.removeContainerCmd(id)
                    .withForce(true)
                    .withRemoveVolumes(true)
                    .exec();
            DeathWatch watch = deathWatch;
            if (watch != null) {
                watch.close();
            }
        }

        private ContainerState state() {
            return engine.inspectContainerCmd(id).exec().getState();
        }
    }
}
