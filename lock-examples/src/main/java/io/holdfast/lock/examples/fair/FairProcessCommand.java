package io.holdfast.lock.examples.fair;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One process that queues, started by {@code fair}. It obeys lines on standard input and says on standard output what
 * happens, and ends when standard input does: so it never outlives its parent.
 *
 * <pre>
 *               ready         connected, and has warmed up
 * ask MILLIS -> waits PLACE*  the lock is not free; it stands at this place of the queue
 *               granted TOKEN it holds the lock
 *               released      after so many milliseconds
 * </pre>
 */
@Command(name = FairProcessCommand.NAME, hidden = true, description = "One process that queues, started by 'fair'.")
public final class FairProcessCommand implements Callable<Integer> {

    static final String NAME = "fair-process";

    private static final int WARM_UPS = 20;

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--name", required = true)
    private String name = "";

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ((Logger) LoggerFactory.getLogger("io.holdfast.lock")).setLevel(Level.WARN);
        LockListener waiting = new LockListener() {
            @Override
            public void waiting(LockEvent event) {
                say("waits " + event.position().orElse(0));
            }
        };
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LockClient client = LockClient.connect(redis)) {
            // Under a name of its own, so that the processes do not wait for each other.
            RLock practice = client.getFairLock(name + "-" + client.getId());
            for (int round = 0; round < WARM_UPS; round++) {
                practice.acquire().close();
            }
            RLock lock = client.getFairLock(
                    name, LockOptions.builder().listener(waiting).build());
            say("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                if (!order.startsWith("ask ")) {
                    throw new IllegalArgumentException("order: '" + order + "' (expected: ask MILLIS)");
                }
                try (LockHold hold = lock.acquire()) {
                    say("granted " + hold.fencingToken());
                    TimeUnit.MILLISECONDS.sleep(Long.parseLong(order.substring("ask ".length())));
                }
                say("released");
            }
        }
        return 0;
    }

    private synchronized void say(String line) {
        answers.println(line);
        answers.flush();
    }
}
