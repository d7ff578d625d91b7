package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.testkit.RawRedis;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** A network between the clients and the server that adds a delay to each round trip, half of it each way. */
final class Network implements AutoCloseable {

    private static final int PINGS = 200;

    private final DelayProxy proxy;
    private final Site site;
    private final double roundTripMicros;

    private Network(DelayProxy proxy, Site site) {
        this.proxy = proxy;
        this.site = site;
        this.roundTripMicros = ping();
    }

    static Network to(Bench bench, long delayNanos) {
        DelayProxy proxy = new DelayProxy(bench.server().host(), bench.server().port(), delayNanos / 2);
        return new Network(
                proxy,
                new Site(
                        List.of(bench.server()),
                        List.of(proxy.url()),
                        bench.site().transport()));
    }

    Site site() {
        return site;
    }

    /** What a bare PING takes through it, as measured. */
    double roundTripMicros() {
        return roundTripMicros;
    }

    private double ping() {
        Histogram nanos = Histograms.create();
        try (RawRedis connection = RawRedis.connect(proxy.host(), proxy.port())) {
            for (int i = 0; i < PINGS; i++) {
                long startNanos = System.nanoTime();
                connection.command("PING");
                Histograms.record(nanos, System.nanoTime() - startNanos);
            }
        }
        return (double) nanos.getValueAtPercentile(50) / TimeUnit.MICROSECONDS.toNanos(1);
    }

    @Override
    public void close() {
        site.close();
        proxy.close();
    }
}
