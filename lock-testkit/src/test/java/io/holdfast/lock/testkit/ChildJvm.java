package io.holdfast.lock.testkit;

import static java.util.function.Predicate.not;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM with a class path and an environment of its own, which runs one of the programs in here. */
final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader printed;

    private ChildJvm(Process process) {
        this.process = process;
        this.printed = process.inputReader();
    }

    /** Starts servers from the source named, prints what the test has to know of them, and does as it is told. */
    static final class Holder {
        public static void main(String[] arguments) throws IOException {
            RedisServer redis = RedisServer.builder()
                    .source(RedisSource.valueOf(arguments[0]))
                    .aof(true)
                    .start();
            System.out.println(redis.port());
            System.out.println(redis.pid());
            System.out.println(redis.source() == RedisSource.DOCKER ? "" : redis.directory());
            for (int next = System.in.read(); next != 'x'; next = System.in.read()) {
                if (next == 'p') {
                    redis.pause();
                    System.out.println("paused");
                }
            }
            System.exit(0);
        }
    }

    /** Starts a server from any source, and prints where it came from, or why there is none. */
    static final class Finder {
        public static void main(String[] arguments) {
            try (RedisServer redis = RedisServer.start()) {
                System.out.println(redis.source() + " " + redis.isAlive());
            } catch (RedisUnavailableException | IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Looks up each name that it is told, and prints the addresses. */
    static final class LookUp {
        public static void main(String[] arguments) throws IOException {
            BufferedReader names = new BufferedReader(new InputStreamReader(System.in));
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                System.out.println(addresses(name));
            }
        }

        private static String addresses(String name) {
            try {
                return Arrays.stream(InetAddress.getAllByName(name))
                        .map(InetAddress::getHostAddress)
                        .collect(Collectors.joining(" "));
            } catch (UnknownHostException e) {
                return "unknown";
            }
        }
    }

    /** Starts a group that Sentinels watch, and prints the process id and the directory of each process. */
    static final class GroupHolder {
        public static void main(String[] arguments) throws IOException {
            SentinelGroup group =
                    SentinelGroup.builder().source(RedisSource.EMBEDDED).start();
            Stream.of(group.servers(), group.sentinels())
                    .flatMap(List::stream)
                    .forEach(node -> System.out.println(node.pid() + "\n" + node.directory()));
            System.in.read();
        }
    }

    /** Starts a cluster, and prints the process id and the directory of each node. */
    static final class ClusterHolder {
        public static void main(String[] arguments) throws IOException {
            ServerCluster cluster = ServerCluster.builder()
                    .replicas(0)
                    .source(RedisSource.EMBEDDED)
                    .start();
            cluster.nodes().forEach(node -> System.out.println(node.pid() + "\n" + node.directory()));
            System.in.read();
        }
    }

    static ChildJvm startWith(List<String> options, Class<?> program) throws IOException {
        ProcessBuilder builder = builder(entry -> true, program);
        builder.command().addAll(1, options);
        return new ChildJvm(builder.start());
    }

    static ChildJvm start(Class<?> program, String... arguments) throws IOException {
        ProcessBuilder builder = builder(entry -> true, program, arguments);
        String image = System.getProperty(ContainerEngine.IMAGE_PROPERTY);
        if (image != null) {
            builder.command().add(1, "-D" + ContainerEngine.IMAGE_PROPERTY + "=" + image);
        }
        return new ChildJvm(builder.start());
    }

    /** Runs a program to its end, and returns what it printed. */
    static String run(Predicate<String> keptOnClassPath, String searchPath, List<String> options, Class<?> program)
            throws IOException {
        ProcessBuilder builder = builder(keptOnClassPath, program);
        builder.command().addAll(1, options);
        builder.environment().put("PATH", searchPath);
        builder.environment().remove(LocalInstallation.VARIABLE);
        try (ChildJvm child = new ChildJvm(builder.start())) {
            return child.printed.lines().collect(Collectors.joining("\n"));
        }
    }

    private static ProcessBuilder builder(Predicate<String> keptOnClassPath, Class<?> program, String... arguments) {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(not(String::isEmpty))
                .filter(keptOnClassPath)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    }

    String readLine() throws IOException {
        return printed.readLine();
    }

    void tell(char what) throws IOException {
        process.getOutputStream().write(what);
        process.getOutputStream().flush();
    }

    void tellLine(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
