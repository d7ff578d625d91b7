package io.holdfast.lock.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.figures.FigureTable;
import io.holdfast.lock.tests.support.TrustedTls;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What TLS costs beside a plain connection, in one run, by turns. Only the number of commands is the same on every machine, so
 * that is what is checked; the times are printed.
 */
@Tag("proof")
class TlsFiguresTest {

    private static final int TURNS = 10;
    private static final int ROUNDS = 1_000;
    private static final int CONNECTS = 20;

    @Test
    void tlsBesideAPlainConnection() {
        try (RedisServer plain = RedisServer.start();
                RedisServer secured = RedisServer.builder().tls(TlsMode.SERVER).start();
                RedisServer mutual = RedisServer.builder().tls(TlsMode.MUTUAL).start()) {
            List<Supplier<LockClient>> ways = List.of(
                    () -> LockClient.connect(plain.url()),
                    () -> LockClient.connect(secured.url(), TrustedTls.options(secured, ClientOptions.defaults())),
                    () -> LockClient.connect(mutual.url(), TrustedTls.options(mutual, ClientOptions.defaults())));
            FigureTable table = new FigureTable("median of", "plain", "TLS 1.3", "TLS 1.3, certificates on both sides");
            addRow(table, "lock + unlock, one thread", lockMicros(ways), "us");
            addRow(table, "connect, and close", connectMicros(ways), "us");
            System.out.println(table);

            assertThat(commands(secured, ways.get(1))).isEqualTo(2);
        }
    }

    private static void addRow(FigureTable table, String what, double[] values, String unit) {
        table.row(
                what,
                String.format("%.0f %s", values[0], unit),
                String.format("%.0f %s", values[1], unit),
                String.format("%.0f %s", values[2], unit));
    }

    private static double[] lockMicros(List<Supplier<LockClient>> ways) {
        List<LockClient> clients = ways.stream().map(Supplier::get).toList();
        try {
            return medians(clients.size(), TURNS, which -> {
                RLock lock = clients.get(which).getLock("figure");
                long start = System.nanoTime();
                for (int i = 0; i < ROUNDS; i++) {
                    lock.lock();
                    lock.unlock();
                }
                return (System.nanoTime() - start) / ROUNDS;
            });
        } finally {
            clients.forEach(LockClient::close);
        }
    }

    private static double[] connectMicros(List<Supplier<LockClient>> ways) {
        return medians(ways.size(), CONNECTS, which -> {
            long start = System.nanoTime();
            ways.get(which).get().close();
            return System.nanoTime() - start;
        });
    }

    private interface Measurement {
        long nanos(int which);
    }

    /** The median of each, in microseconds; they take turns, and the first turn is for the compiler. */
    private static double[] medians(int count, int turns, Measurement measurement) {
        long[][] nanos = new long[count][turns];
        for (int turn = -1; turn < turns; turn++) {
            for (int which = 0; which < count; which++) {
                long taken = measurement.nanos(which);
                if (turn >= 0) {
                    nanos[which][turn] = taken;
                }
            }
        }
        return Arrays.stream(nanos)
                .mapToDouble(each ->
                        Arrays.stream(each).sorted().toArray()[turns / 2] / (double) TimeUnit.MICROSECONDS.toNanos(1))
                .toArray();
    }

    private static long commands(RedisServer server, Supplier<LockClient> way) {
        try (LockClient client = way.get()) {
            RLock lock = client.getLock("counted");
            lock.lock();
            lock.unlock();
            try (RedisMonitor monitor = RedisMonitor.of(server)) {
                lock.lock();
                lock.unlock();
                return monitor.commands().stream()
                        .map(MonitoredCommand::name)
                        .filter(name -> name.equals("EVALSHA"))
                        .count();
            }
        }
    }
}
