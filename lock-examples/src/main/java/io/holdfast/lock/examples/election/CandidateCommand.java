package io.holdfast.lock.examples.election;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.LeaderElection;
import io.holdfast.lock.Leadership;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One candidate, started by {@code election}. It obeys lines on standard input, answers on standard output, and ends when its input
 * does: so it never outlives its parent.
 *
 * <pre>
 *             -> ready      it is connected
 * campaign    -> leads      it is elected, and proclaimed
 * resign      -> resigned   it leads no more
 * </pre>
 */
@Command(name = CandidateCommand.NAME, hidden = true, description = "One candidate, started by 'election'.")
public final class CandidateCommand implements Callable<Integer> {

    static final String NAME = "candidate";

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--id", required = true)
    private String id = "";

    @Option(names = "--lease", required = true)
    private long leaseMillis;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.WARN);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LockClient client = LockClient.connect(redis)) {
            LeaderElection election = client.getElection(
                    name,
                    LockOptions.builder()
                            .watchdogLease(Duration.ofMillis(leaseMillis))
                            .build());
            election.leader();
            answer("ready");
            while ("campaign".equals(orders.readLine())) {
                byte[] address = ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
                try (Leadership leadership = election.campaign(id, address)) {
                    answer("leads");
                    orders.readLine();
                    leadership.resign();
                    answer("resigned");
                }
            }
        }
        return 0;
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
