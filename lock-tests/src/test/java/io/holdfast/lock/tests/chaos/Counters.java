package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.testkit.RawRedis;
import java.net.URI;
import java.time.Duration;

/**
 * The resource that the lock protects: counters on a server of their own, which no fault reaches. One of each row refuses
 * writes under tokens that are too old; the other believes everybody. To add one is to read, to take a while, and to
 * write: whoever is overtaken meanwhile loses updates.
 */
final class Counters implements AutoCloseable {

    /** The counter that asks for tokens. */
    static final String FENCED = "fenced";

    /** The counter that asks for nothing. */
    static final String BLIND = "blind";

    private final LockClient client;
    private final RawRedis raw;

    Counters(String url) {
        URI address = URI.create(url);
        // Patient: a process that was stopped finds its commands overdue when it goes on.
        client = LockClient.connect(
                url,
                ClientOptions.builder()
                        .clientName("counters")
                        .commandTimeout(Duration.ofSeconds(25))
                        .build());
        raw = RawRedis.connect(address.getHost(), address.getPort());
    }

    /** What was read, to be written back plus one; a hold without a token, 0, does not count under tokens. */
    record Reading(String row, long fenced, long blind, long token) {}

    synchronized Reading read(String row, long token) {
        long fenced = token == 0 ? 0 : Long.parseLong(fenced(row).get(token).orElse("0"));
        return new Reading(row, fenced, blind(row), token);
    }

    /** Adds one to what was read, and tells whether that was accepted. */
    synchronized void write(Reading reading, String lane, Seen.Sink sink) {
        if (reading.token != 0) {
            boolean accepted = fenced(reading.row).set(Long.toString(reading.fenced + 1), reading.token);
            sink.see(new Seen.Wrote(lane, FENCED, reading.token, accepted, System.nanoTime()));
        }
        raw.command("SET", blindKey(reading.row), Long.toString(reading.blind + 1));
        sink.see(new Seen.Wrote(lane, BLIND, reading.token, true, System.nanoTime()));
    }

    synchronized long fencedTotal(String row) {
        return Long.parseLong(fenced(row).get().orElse("0"));
    }

    synchronized long blind(String row) {
        Object value = raw.command("GET", blindKey(row));
        return value == null ? 0 : Long.parseLong(value.toString());
    }

    private FencedValue fenced(String row) {
        return client.getFencedValue("counter of " + row);
    }

    private static String blindKey(String row) {
        return "blind counter of " + row;
    }

    @Override
    public void close() {
        client.close();
        raw.close();
    }
}
