package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.result.Environment;
import io.holdfast.lock.testkit.RedisServer;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** Finds out where the run takes place, and with what. */
final class Surroundings {

    private Surroundings() {}

    static Environment of(RedisServer server, Transport transport, List<String> commandLine) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", OffsetDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx")));
        facts.put("command line", ("lock-benchmarks/run " + String.join(" ", commandLine)).strip());
        facts.put("processor", processor());
        facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch"));
        facts.put(
                "load before",
                String.valueOf(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        facts.put("JDK", Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
        facts.put("heap", Runtime.getRuntime().maxMemory() / (1024 * 1024) + " MB at most");
        facts.put(
                "server", (server.version().valkey() ? "Valkey " : "Redis ") + server.version() + ", on this machine");
        facts.put("transport", transport(transport));
        for (PeerKind kind : List.of(PeerKind.HOLDFAST, PeerKind.REDISSON, PeerKind.LETTUCE, PeerKind.JEDIS)) {
            facts.put(kind.shortTitle(), version(kind.product()));
        }
        facts.put("Netty", version("io.netty:netty-transport"));
        return new Environment(facts);
    }

    private static String transport(Transport transport) {
        boolean epoll = Epoll.isAvailable();
        return switch (transport) {
            case DEFAULT ->
                epoll
                        ? "each its default: Holdfast and Lettuce epoll, Redisson NIO, Jedis and bare sockets blocking"
                        : "NIO; Jedis and bare sockets blocking";
            case NIO -> "NIO for all that have a choice; Jedis and bare sockets blocking";
            case EPOLL -> "epoll for all that have a choice; Jedis and bare sockets blocking";
        };
    }

    private static String processor() {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(file)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("can't read " + file, unreadable);
        }
    }

    /** The version that an artifact's jar says it has; our own, built from here, is what is being worked on. */
    private static String version(String artifact) {
        String path = "/META-INF/maven/" + artifact.replace(':', '/') + "/pom.properties";
        try (InputStream in = Surroundings.class.getResourceAsStream(path)) {
            if (in == null) {
                return "as built from this source";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException("can't read " + path, unreadable);
        }
    }
}
