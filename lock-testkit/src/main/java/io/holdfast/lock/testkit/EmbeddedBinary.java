package io.holdfast.lock.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A server's binary in a jar. The jars bring code to run it as well, which stays unused: it has no clean-up for a
 * killed JVM.
 */
final class EmbeddedBinary implements LocalInstallation.Binary {

    private final String file;

    private EmbeddedBinary(String file) {
        this.file = file;
    }

    static LocalInstallation installation(RedisSource source) throws SourceUnavailableException {
        return source == RedisSource.OLDEST
                ? installation(
                        source,
                        "com.github.codemonstur:embedded-redis",
                        "redis-server-6.2.6-v5-linux-amd64",
                        "redis-server-6.2.7-linux-arm64",
                        "redis-server-6.2.6-v5-darwin-amd64",
                        "redis-server-6.2.6-v5-darwin-arm64")
                : installation(
                        source,
                        "org.signal:embedded-redis",
                        "redis-server-7.0.15-linux-amd64",
                        "redis-server-7.0.15-linux-arm64",
                        "redis-server-7.0.15-darwin-amd64",
                        "redis-server-7.0.15-darwin-arm64");
    }

    private static LocalInstallation installation(RedisSource source, String jar, String... files)
            throws SourceUnavailableException {
        PosixShell.requirePresent();
        String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
        for (String file : files) {
            if (file.endsWith(platform)) {
                if (EmbeddedBinary.class.getResource("/" + file) == null) {
                    throw new SourceUnavailableException("the jar " + jar + " is not on the class path");
                }
                return new LocalInstallation(source, new EmbeddedBinary(file), RedisVersion.parse(file));
            }
        }
        throw new SourceUnavailableException("the jar " + jar + " brings no server for" + platform.replace('-', ' '));
    }

    private static String platform(String system, String processor) {
        return (system.startsWith("Mac") ? "-darwin" : "-" + system.toLowerCase(Locale.ROOT))
                + (processor.equals("aarch64") ? "-arm64" : processor.equals("x86_64") ? "-amd64" : "-" + processor);
    }

    @Override
    public Path executable(Path room) {
        Path executable = room.resolve("redis-server");
        try (InputStream bytes = EmbeddedBinary.class.getResourceAsStream("/" + file)) {
            if (bytes == null) {
                throw new IllegalStateException(file + " was on the class path, and is there no more");
            }
            PosixShell.writeExecutable(bytes, executable);
            return executable;
        } catch (IOException e) {
            throw new UncheckedIOException("can't unpack " + file + " to " + executable, e);
        }
    }
}
