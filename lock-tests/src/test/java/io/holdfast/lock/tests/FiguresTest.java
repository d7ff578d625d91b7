package io.holdfast.lock.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.figures.FigureTable;
import io.holdfast.lock.tests.figures.RuntimeClassPath;
import io.holdfast.lock.tests.figures.SmallestProgram;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The figures that the README shows: counts, so that they are the same on every machine. Each is checked against its
 * bound, and the table is printed at the end. Where it is cheap, Redisson is measured in the same run; figures of it
 * that were measured elsewhere are marked.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FiguresTest extends ServerTest {

    private static final String ELSEWHERE = " (measured elsewhere)";
    private static final FigureTable TABLE = new FigureTable();
    private static final int ROUNDS = 20;
    private static final Path MODULES = Path.of("").toAbsolutePath().getParent();
    private static final Pattern IN_THE_README = Pattern.compile("\\| ([0-9.]+) MB \\(([0-9.]+) MB with TLS\\) ");
    /** How far the README's figure may be off, so that not each line of code changes it. */
    private static final double README_MB = 0.02;

    @AfterAll
    static void print() {
        System.out.println();
        System.out.println(TABLE);
    }

    @Test
    @Order(1)
    void anUncontendedLockAndUnlockAreTwoCommands() {
        RLock lock = connect().getLock("figure");
        List<String> ours = commandsOf(lock);
        RedissonClient redisson = redisson();
        List<String> theirs;
        try {
            theirs = commandsOf(redisson.getLock("figure"));
        } finally {
            redisson.shutdown();
        }
        TABLE.add("commands, uncontended lock + unlock", perRound(ours), "2", perRound(theirs));
        assertThat(ours).hasSize(2 * ROUNDS).containsOnly("EVALSHA");
    }

    /** The commands that clients send for some rounds of lock and unlock. */
    private List<String> commandsOf(Lock lock) {
        lock.lock();
        lock.unlock();
        try (RedisMonitor monitor = RedisMonitor.of(redis)) {
            for (int round = 0; round < ROUNDS; round++) {
                lock.lock();
                lock.unlock();
            }
            return names(monitor);
        }
    }

    private static List<String> names(RedisMonitor monitor) {
        return monitor.commands().stream().map(MonitoredCommand::name).toList();
    }

    private static String perRound(List<String> commands) {
        Map<String, Long> counts =
                commands.stream().collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        String parts = counts.entrySet().stream()
                .map(count -> number((double) count.getValue() / ROUNDS) + " " + count.getKey())
                .collect(Collectors.joining(" + "));
        return number((double) commands.size() / ROUNDS) + " (" + parts + ")";
    }

    @Test
    @Order(2)
    void aReEntryAndItsReleaseAreOneCommandEach() {
        RLock lock = connect().getLock("figure");
        lock.lock();
        lock.lock();
        lock.unlock();
        int entries;
        int releases;
        try (RedisMonitor monitor = RedisMonitor.of(redis)) {
            for (int round = 0; round < ROUNDS; round++) {
                lock.lock();
            }
            entries = names(monitor).size();
            for (int round = 0; round < ROUNDS; round++) {
                lock.unlock();
            }
            releases = names(monitor).size() - entries;
        }
        lock.unlock();
        TABLE.add(
                "commands, re-entry + its release",
                number((double) entries / ROUNDS) + " + " + number((double) releases / ROUNDS),
                "1 + 1",
                "not measured");
        assertThat(entries).isEqualTo(ROUNDS);
        assertThat(releases).isEqualTo(ROUNDS);
    }

    @Tag("proof")
    @Test
    @Order(3)
    void aHandOverInsideAClientIsHardlyEverAskedFor() {
        RLock lock = connect().getLock("hot");
        int threads = 16;
        int rounds = 200;
        double ours = scriptsPerRound(lock, threads, rounds);
        RedissonClient redisson = redisson();
        double theirs;
        try {
            theirs = scriptsPerRound(redisson.getLock("hot"), threads, rounds / 4);
        } finally {
            redisson.shutdown();
        }
        TABLE.add(
                "scripts per 1,000 hand-overs, 16 threads, one client",
                number(1_000 * ours),
                "100",
                number(1_000 * theirs));
        // One in 50 ms, so a machine that is slow has more of them.
        assertThat(ours).isLessThanOrEqualTo(0.1);
    }

    private double scriptsPerRound(Lock lock, int threads, int rounds) {
        lock.lock();
        lock.unlock();
        long before = allScripts();
        inThreads(IntStream.range(0, threads).mapToObj(i -> lock).toList(), rounds);
        return (double) (allScripts() - before) / ((long) threads * rounds);
    }

    @Tag("proof")
    @Test
    @Order(4)
    void aHundredWaitersOfFiveClientsNeedFewScripts() {
        long ours = scriptsOfContention(IntStream.range(0, 5)
                .mapToObj(i -> (Lock) connect().getLock("crowd"))
                .toList());
        List<RedissonClient> clients =
                IntStream.range(0, 5).mapToObj(i -> redisson()).toList();
        long theirs;
        try {
            theirs = scriptsOfContention(clients.stream()
                    .map(client -> (Lock) client.getLock("crowd"))
                    .toList());
        } finally {
            clients.forEach(RedissonClient::shutdown);
        }
        TABLE.add("scripts, 5 clients x 20 waiters, 101 releases", Long.toString(ours), "250", Long.toString(theirs));
        assertThat(ours).isLessThanOrEqualTo(250);
    }

    /** One hold, during which 20 threads of each client come to wait; then every one releases at once. */
    private long scriptsOfContention(List<Lock> lockOfClient) {
        for (Lock lock : lockOfClient) {
            lock.lock();
            lock.unlock();
        }
        List<Lock> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.addAll(lockOfClient);
        }
        long before = allScripts();
        Lock holder = lockOfClient.get(0);
        holder.lock();
        inThreads(waiters, 1, threads -> {
            eventually(() -> assertThat(threads)
                    .hasSameSizeAs(waiters)
                    .extracting(Thread::getState)
                    .isSubsetOf(Thread.State.WAITING, Thread.State.TIMED_WAITING));
            holder.unlock();
        });
        return allScripts() - before;
    }

    /** Takes and releases each lock in a thread of its own. */
    private static void inThreads(List<Lock> locks, int rounds) {
        inThreads(locks, rounds, threads -> {});
    }

    /** As above; meanwhile something is done with the threads. */
    private static void inThreads(List<Lock> locks, int rounds, Consumer<List<Thread>> meanwhile) {
        ExecutorService pool = Executors.newFixedThreadPool(locks.size());
        List<Thread> threads = new CopyOnWriteArrayList<>();
        try {
            List<Future<?>> done = new ArrayList<>();
            for (Lock lock : locks) {
                done.add(pool.submit(() -> {
                    threads.add(Thread.currentThread());
                    for (int round = 0; round < rounds; round++) {
                        lock.lock();
                        lock.unlock();
                    }
                }));
            }
            meanwhile.accept(threads);
            done.forEach(Futures::get);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    @Order(5)
    void aWaiterSurvivesTheLossOfItsMessages() throws Exception {
        LockHold held = connect().getLock("deaf").acquire();
        RFuture<LockHold> waiting = connect().getLock("deaf").acquireAsync();
        eventually(() -> assertThat(raw.list("PUBSUB", "CHANNELS")).hasSize(1));
        raw.command("CLIENT", "KILL", "TYPE", "pubsub");
        held.close();
        long start = System.nanoTime();
        Futures.get(waiting).close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        TABLE.add("pub/sub connection killed, released: granted", millis + " ms", "1,000 ms", "19 s" + ELSEWHERE);
        assertThat(millis).isLessThanOrEqualTo(1_000);
    }

    @Tag("proof")
    @Test
    @Order(6)
    void theRuntimeClassPathIsSmallAndSufficient(@TempDir Path scratch) throws Exception {
        List<Path> jars = RuntimeClassPath.find(MODULES, scratch);
        long bytes = bytes(jars);
        TABLE.add("jars on the runtime class path", Integer.toString(jars.size()), "8", "27" + ELSEWHERE);
        TABLE.add("size of the runtime class path", megabytes(bytes), "3.45 MB", "21.2 MB" + ELSEWHERE);
        assertThat(run(jars, scratch, redis.url())).startsWith("locked with token ");
        assertThat(jars).hasSizeBetween(3, 8);
        assertThat(bytes).isLessThanOrEqualTo(3_450_000);
        assertThat(bytes / 1e6).as("the README's figure").isCloseTo(megabytesOfTheReadme(1), within(README_MB));
    }

    @Tag("proof")
    @Test
    @Order(7)
    void theRuntimeClassPathWithTlsIsSmallAndSufficient(@TempDir Path scratch) throws Exception {
        List<Path> jars = RuntimeClassPath.find(MODULES, scratch, List.of("netty-handler"));
        long bytes = bytes(jars);
        TABLE.add("the same with TLS: jars", Integer.toString(jars.size()), "11", "27" + ELSEWHERE);
        TABLE.add("the same with TLS: size", megabytes(bytes), "4.25 MB", "21.2 MB" + ELSEWHERE);
        try (RedisServer secured = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            Path store = secured.tls().authority().writeStore(scratch.resolve("trust.p12"), "PKCS12", "changeit");
            assertThat(run(
                            jars,
                            scratch,
                            "-Djavax.net.ssl.trustStore=" + store,
                            "-Djavax.net.ssl.trustStorePassword=changeit",
                            secured.url()))
                    .startsWith("locked with token ");
        }
        assertThat(jars).hasSizeBetween(3, 11);
        assertThat(bytes).isLessThanOrEqualTo(4_250_000);
        assertThat(bytes / 1e6).as("the README's figure").isCloseTo(megabytesOfTheReadme(2), within(README_MB));
    }

    /** @param group without TLS: 1; with it: 2 */
    private static double megabytesOfTheReadme(int group) throws IOException {
        Matcher size = IN_THE_README.matcher(Files.readString(Path.of("../README.md")));
        assertThat(size.find()).as("a size in the README").isTrue();
        return Double.parseDouble(size.group(group));
    }

    private static long bytes(List<Path> jars) throws IOException {
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        return bytes;
    }

    /** Runs the smallest program on nothing but these jars; what begins with a '-' is for the JVM. */
    private static String run(List<Path> jars, Path scratch, String... arguments)
            throws IOException, InterruptedException {
        Path classes = Files.createDirectories(scratch.resolve("program"));
        String program = SmallestProgram.class.getName().replace('.', '/') + ".class";
        Path target = classes.resolve(program);
        Files.createDirectories(target.getParent());
        try (InputStream in = SmallestProgram.class.getClassLoader().getResourceAsStream(program)) {
            Files.copy(in, target);
        }
        List<String> path = new ArrayList<>(List.of(classes.toString()));
        jars.forEach(jar -> path.add(jar.toString()));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Stream.of(arguments).filter(argument -> argument.startsWith("-")).forEach(command::add);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path), SmallestProgram.class.getName()));
        Stream.of(arguments).filter(argument -> !argument.startsWith("-")).forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code, output: " + output).isZero();
        return output;
    }

    @Test
    @Order(8)
    void anIdleClientOwnsTwoThreads() {
        Set<Thread> before = threads();
        LockClient client = connect();
        RLock lock = client.getLock("idle");
        lock.lock();
        lock.unlock();
        Set<Thread> ours = newThreads(before);
        before = threads();
        RedissonClient redisson = redisson();
        int theirs;
        try {
            redisson.getLock("idle").lock();
            redisson.getLock("idle").unlock();
            theirs = newThreads(before).size();
        } finally {
            redisson.shutdown();
        }
        TABLE.add("threads of a connected, idle client", Integer.toString(ours.size()), "2", Integer.toString(theirs));
        assertThat(ours)
                .extracting(Thread::getName)
                .satisfiesExactlyInAnyOrder(name -> assertThat(name).endsWith("-io-1"), name -> assertThat(name)
                        .endsWith("-timer-1"));
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    private static Set<Thread> newThreads(Set<Thread> before) {
        Set<Thread> now = threads();
        now.removeAll(before);
        return now;
    }

    private RedissonClient redisson() {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url());
        return Redisson.create(config);
    }

    /** Scripts by either way of calling them. */
    private long allScripts() {
        return raw.calls("evalsha") + raw.calls("eval");
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format("%.2f", value);
    }

    private static String megabytes(long bytes) {
        return String.format("%.2f MB", bytes / 1e6);
    }
}
