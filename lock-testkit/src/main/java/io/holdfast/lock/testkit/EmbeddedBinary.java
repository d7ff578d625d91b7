package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * The servers that the {@code embedded-redis} jar brings. Only its binaries are used: its own code to run them has no
 * clean-up for a killed JVM.
 */
final class EmbeddedBinary implements LocalInstallation.Binary {
    private final String resource;

    private EmbeddedBinary(String resource) {
        this.resource = resource;
    }

    static LocalInstallation installation() throws SourceUnavailableException {
        PosixShell.requirePresent();
        try {
            String system = System.getProperty("os.name");
            String processor = System.getProperty("os.arch");
            OsArchitecture platform = platform(system, processor);
            String name = platform == null
                    ? null
                    : ExecutableProvider.newProvidedVersionsMap().get(platform);
            return installation(name, system + " on " + processor);
        } catch (NoClassDefFoundError e) {
            throw new SourceUnavailableException(
                    "the jar com.github.codemonstur:embedded-redis is not on the class path", e);
        }
    }

    /** The jar's own detection runs {@code uname}, which need not be on the path. */
    private static @Nullable OsArchitecture platform(String system, String processor) {
        boolean arm = processor.equals("aarch64");
        boolean intel = processor.equals("amd64") || processor.equals("x86_64");
        if (system.startsWith("Mac")) {
            return arm ? OsArchitecture.MAC_OS_X_ARM64 : intel ? OsArchitecture.MAC_OS_X_x86_64 : null;
        }
        if (system.equals("Linux")) {
            return arm ? OsArchitecture.UNIX_AARCH64 : intel ? OsArchitecture.UNIX_x86_64 : null;
        }
        return null;
    }

    private static LocalInstallation installation(@Nullable String name, String platform)
            throws SourceUnavailableException {
        if (name == null) {
            throw new SourceUnavailableException("embedded-redis brings no server for " + platform);
        }
        // The names look like redis-server-6.2.7-linux-arm64.
        RedisVersion version = RedisVersion.parse(name);
        if (!version.isSupported()) {
            throw new SourceUnavailableException("embedded-redis brings version " + version + " for " + platform
                    + " (expected: " + RedisVersion.OLDEST_SUPPORTED + " or later)");
        }
        return new LocalInstallation(RedisSource.EMBEDDED, new EmbeddedBinary(name), version);
    }

    @Override
    public Path executable(Path room) {
        Path executable = room.resolve("redis-server");
        try (InputStream bytes = ExecutableProvider.class.getResourceAsStream(absolute(resource))) {
            if (bytes == null) {
                throw new IllegalStateException("embedded-redis names " + resource + ", and does not contain it");
            }
            PosixShell.writeExecutable(bytes, executable);
            return executable;
        } catch (IOException e) {
            throw new UncheckedIOException("can't unpack " + resource + " to " + executable, e);
        }
    }

    private static String absolute(String resource) {
        return resource.startsWith("/") ? resource : "/" + resource;
    }
}
