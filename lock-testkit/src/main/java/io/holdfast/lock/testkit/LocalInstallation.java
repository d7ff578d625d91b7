package io.holdfast.lock.testkit;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A server binary on this machine. */
final class LocalInstallation implements Installation {
    /** Names the executable, in place of the first that the search path leads to. */
    static final String VARIABLE = "HOLDFAST_SERVER";

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
        String named = System.getenv().getOrDefault(VARIABLE, "");
        return named.isEmpty() ? onPath(System.getenv().getOrDefault("PATH", "")) : named(named);
    }

    /**
     * The one that a user has named. It is never replaced by another one.
     *
     * @throws RedisUnavailableException when it can't be used
     */
    static LocalInstallation named(String file) {
        Path executable = Path.of(file).toAbsolutePath();
        try {
            PosixShell.requirePresent();
            return new LocalInstallation(RedisSource.PATH, room -> executable, versionOf(executable));
        } catch (SourceUnavailableException e) {
            throw new RedisUnavailableException("variable " + VARIABLE + ": " + e.getMessage());
        }
    }

    static LocalInstallation onPath(String searchPath) throws SourceUnavailableException {
        PosixShell.requirePresent();
        for (String name : NAMES) {
            Optional<Path> found = PosixShell.find(searchPath, name);
            if (found.isPresent()) {
                Path executable = found.get();
                return new LocalInstallation(RedisSource.PATH, room -> executable, versionOf(executable));
            }
        }
        throw new SourceUnavailableException(
                "neither redis-server nor valkey-server is on the PATH (" + searchPath + ")");
    }

    private static RedisVersion versionOf(Path executable) throws SourceUnavailableException {
        RedisVersion version;
        try {
            version = RedisVersion.parse(PosixShell.output(executable.toString(), "--version"));
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
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
        /** The executable; what has to be unpacked first goes into the server's own directory. */
        Path executable(Path room);
    }
}
