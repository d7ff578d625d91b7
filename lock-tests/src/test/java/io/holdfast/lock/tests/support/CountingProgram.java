package io.holdfast.lock.tests.support;

import static org.awaitility.Awaitility.await;

import io.holdfast.lock.AddressMapper;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.RLock;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process whose threads take one lock over and over and add one to a value. The value is kept by a server that no fault
 * reaches, and checks tokens, or not. It is told by lines on its input:
 *
 * <ul>
 *   <li>{@code start THREADS}
 *   <li>{@code turns}: answers how many turns were completed so far
 *   <li>{@code stop}: ends the threads and the clients, and answers a {@link Tally}
 * </ul>
 *
 * <p>Its arguments are the address of the locks, that of the value's server, a {@link Way}, and other ways to the servers and
 * the Sentinels, as in {@code a:1=b:2,c:3=d:4}, if there are any.
 */
public final class CountingProgram {

    /** What keeps owners apart. */
    public enum Way {
        /** The value checks the tokens. */
        FENCED,
        /** The failover guard; the value takes whatever an owner writes. */
        GUARDED,
        /** Nothing: the value takes whatever an owner writes. */
        UNGUARDED
    }

    public static final String LOCK = "stock";
    public static final String VALUE = "count";

    /** A hold that no client knows any more keeps the others out for so long at most. */
    public static final Duration LEASE = Duration.ofSeconds(4);

    public static final Duration SILENCE = Duration.ofSeconds(2);

    /** What a write takes at the longest, and more: an owner whose validity is over before that does not begin one. */
    private static final Duration LONGEST_WRITE = Duration.ofSeconds(1);

    /** What is written without a look at tokens is written with always the same. */
    private static final long SAME_TOKEN = 1;

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration LONGEST_TURN = Duration.ofSeconds(60);

    /**
     * What became of the turns of one process.
     *
     * @param accepted writes that the value took
     * @param refused writes that it refused, since a newer owner had come
     * @param silent holds whose write was refused, and whose owner was never told of the loss
     * @param failures calls that ended with a typed failure
     * @param losses holds whose loss was told, by reason
     */
    public record Tally(int accepted, int refused, int silent, int failures, Map<LossReason, Integer> losses) {

        String line() {
            StringBuilder line = new StringBuilder(accepted + " " + refused + " " + silent + " " + failures);
            losses.forEach((reason, count) ->
                    line.append(' ').append(reason).append('=').append(count));
            return line.toString();
        }

        static Tally parse(String line) {
            String[] words = line.split(" ");
            Map<LossReason, Integer> losses = new EnumMap<>(LossReason.class);
            for (int i = 4; i < words.length; i++) {
                String[] parts = words[i].split("=");
                losses.put(LossReason.valueOf(parts[0]), Integer.valueOf(parts[1]));
            }
            return new Tally(number(words[0]), number(words[1]), number(words[2]), number(words[3]), losses);
        }

        private static int number(String word) {
            return Integer.parseInt(word);
        }
    }

    private final Way way;
    private final LockClient client;
    private final LockClient values;
    private final List<Background<Boolean>> threads = new ArrayList<>();
    private final Map<LossReason, Integer> losses = new EnumMap<>(LossReason.class);

    private volatile boolean stopped;
    private int accepted;
    private int refused;
    private int silent;
    private int failures;

    private CountingProgram(Way way, LockClient client, LockClient values) {
        this.way = way;
        this.client = client;
        this.values = values;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Way way = Way.valueOf(arguments[2]);
        CountingProgram program = new CountingProgram(
                way,
                LockClient.connect(arguments[0], options(way, arguments)),
                LockClient.connect(
                        arguments[1],
                        ClientOptions.builder()
                                .commandTimeout(Duration.ofSeconds(25))
                                .build()));
        out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            out.println(words[0] + " " + program.execute(words));
        }
        Runtime.getRuntime().halt(0);
    }

    private static ClientOptions options(Way way, String[] arguments) {
        ClientOptions.Builder options = Clients.quick();
        if (way == Way.GUARDED) {
            options.failoverGuard(LEASE)
                    .sentinel(SentinelOptions.builder().silence(SILENCE).build())
                    .lockOptions(Clients.watchdog(LEASE));
        }
        if (arguments.length > 3) {
            Map<NodeAddress, NodeAddress> ways = new HashMap<>();
            for (String each : arguments[3].split(",")) {
                String[] ends = each.split("=");
                ways.put(NodeAddress.parse(ends[0]), NodeAddress.parse(ends[1]));
            }
            options.addressMapper(AddressMapper.of(ways));
        }
        return options.build();
    }

    private Object execute(String[] words) throws Exception {
        switch (words[0]) {
            case "start":
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                    threads.add(Background.run(this::work));
                }
                return "done";
            case "turns":
                return turns();
            case "stop":
                return stop().line();
            default:
                throw new IllegalArgumentException("command: " + words[0]);
        }
    }

    private Tally stop() throws Exception {
        stopped = true;
        for (Background<Boolean> thread : threads) {
            thread.result(LONGEST_TURN);
        }
        client.close();
        values.close();
        await().until(() -> ClientThreads.names().isEmpty());
        return tally();
    }

    private synchronized Tally tally() {
        return new Tally(accepted, refused, silent, failures, losses);
    }

    private synchronized int turns() {
        return accepted;
    }

    private void work() throws InterruptedException {
        RLock lock = client.getLock(LOCK, Clients.watchdog(LEASE));
        FencedValue value = values.getFencedValue(VALUE);
        while (!stopped) {
            try {
                Optional<LockHold> granted = lock.tryAcquire(WAIT);
                if (granted.isPresent()) {
                    use(granted.get(), value);
                }
            } catch (LockException typed) {
                countFailure();
            }
        }
    }

    private void use(LockHold hold, FencedValue value) {
        boolean wasRefused = false;
        try {
            long token = way == Way.FENCED ? hold.fencingToken() : SAME_TOKEN;
            int before = Integer.parseInt(value.get(token).orElse("0"));
            Thread.yield();
            if (way == Way.FENCED || hold.validFor().compareTo(LONGEST_WRITE) > 0) {
                wasRefused = !value.set(Integer.toString(before + 1), token);
                countWrite(wasRefused);
            }
            hold.release();
            countEnd(hold, wasRefused);
        } catch (LockLostException lost) {
            countLoss(lost.lossReason());
        } catch (LockException unknown) {
            countFailure();
            countEnd(hold, wasRefused);
        }
    }

    private synchronized void countWrite(boolean wasRefused) {
        if (wasRefused) {
            refused++;
        } else {
            accepted++;
        }
    }

    /** Of a hold that was lost before its release the release throws; so this one was not, as far as it was told. */
    private synchronized void countEnd(LockHold hold, boolean wasRefused) {
        if (wasRefused && hold.state() != HoldState.LOST) {
            silent++;
        }
    }

    private synchronized void countLoss(LossReason reason) {
        losses.merge(reason, 1, Integer::sum);
    }

    private synchronized void countFailure() {
        failures++;
    }
}
