package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.support.CountingProgram.Tally;
import io.holdfast.lock.tests.support.CountingProgram.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Processes that count a value under a lock, each a {@link CountingProgram} of four threads, and the value's server. */
public final class CountingFleet implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int TURNS = 20;

    /** Longer than a failover takes on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final RedisServer values = RedisServer.start();
    private final List<ChildJvm> processes = new ArrayList<>();

    /**
     * Starts a process.
     *
     * @param url the address of the locks
     * @param ways other ways to the servers, as the program takes them; none by default
     */
    public void start(String url, Way way, String... ways) throws IOException {
        String[] arguments = Stream.concat(Stream.of(url, values.url(), way.name()), Stream.of(ways))
                .toArray(String[]::new);
        processes.add(ChildJvm.start(CountingProgram.class, arguments));
    }

    /** Has all processes begin, and waits until each gets on. */
    public void begin() throws InterruptedException {
        for (ChildJvm process : processes) {
            process.hear("ready");
            process.ask("start " + THREADS);
        }
        awaitTurnsOfEach();
    }

    /** Each process gets on. */
    public void awaitTurnsOfEach() throws InterruptedException {
        awaitTurnsOf(processes);
    }

    /** Each process gets on, but perhaps the one that was started last. */
    public void awaitTurnsOfAllButTheLast() throws InterruptedException {
        awaitTurnsOf(processes.subList(0, processes.size() - 1));
    }

    private static void awaitTurnsOf(List<ChildJvm> some) throws InterruptedException {
        for (ChildJvm process : some) {
            int before = turns(process);
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(turns(process)).isGreaterThanOrEqualTo(before + TURNS));
        }
    }

    private static int turns(ChildJvm process) throws InterruptedException {
        return Integer.parseInt(process.ask("turns"));
    }

    /** Ends the processes: how many of the updates that the value has accepted are not in it. */
    public int lostUpdates() throws InterruptedException {
        processes.forEach(process -> process.say("stop"));
        List<Tally> tallies = new ArrayList<>();
        for (ChildJvm process : processes) {
            tallies.add(Tally.parse(process.hear("stop")));
        }
        assertThat(tallies).as("lost without a word").allMatch(tally -> tally.silent() == 0);
        int accepted = tallies.stream().mapToInt(Tally::accepted).sum();
        try (LockClient client = LockClient.connect(values.url())) {
            return accepted
                    - client.getFencedValue(CountingProgram.VALUE)
                            .get()
                            .map(Integer::valueOf)
                            .orElse(0);
        }
    }

    @Override
    public void close() {
        processes.forEach(ChildJvm::close);
        values.close();
    }
}
