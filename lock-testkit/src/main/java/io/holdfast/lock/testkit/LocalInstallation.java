package io.holdfast.lock.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A server binary on this machine. */
final class LocalInstallation implements Installation {
    private static final List<String> NAMES = List.of("redis-server", "valkey-server");

    private final RedisSource source;
    private final Binary binary;
    private final RedisVersion version;

    LocalInstallation(RedisSource source, Binary binary, RedisVersion version) {
        this.source = source;
        this.binary = binary;
        this.version = version;
    }

    static LocalInstallation onPath() throws SourceUnavailableException {
        return onPath(System.getenv().getOrDefault("PATH", ""));
    }

    static LocalInstallation onPath(String searchPath) throws SourceUnavailableException {
        PosixShell.requirePresent();
        for (String directory : searchPath.split(Pattern.quote(File.pathSeparator))) {
            for (String name : NAMES) {
                Path candidate = Path.of(directory, name);
                if (!directory.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                    return new LocalInstallation(RedisSource.PATH, room -> candidate, versionOf(candidate));
                }
            }
        }
        throw new SourceUnavailableException(
                "neither redis-server nor valkey-server is on the PATH (" + searchPath + ")");
    }

    private static RedisVersion versionOf(Path executable) throws SourceUnavailableException {
        RedisVersion version;
        try {
            version = RedisVersion.parse(PosixShell.output(executable.toString(), "--version"));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new SourceUnavailableException(executable + " --version does not work: " + e.getMessage(), e);
        }
        if (!version.isSupported()) {
            throw new SourceUnavailableException(executable + ": version " + version + " (expected: "
                    + RedisVersion.OLDEST_SUPPORTED + " or later)");
        }
        return version;
    }

    @Override
    public RedisSource source() {
        return source;
    }

    @Override
    public RedisVersion version() {
        return version;
    }

    @Override
    public ServerProcess prepare(ServerConfig config) {
        return LocalServerProcess.prepare(binary, version, config);
    }

    /** Puts the executable where it can be run. */
    interface Binary {
        /** @param room the server's own directory, for what has to be unpacked first */
        Path executable(Path room);
    }
}
