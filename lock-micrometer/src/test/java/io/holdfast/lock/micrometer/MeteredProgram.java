package io.holdfast.lock.micrometer;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A program that locks and shows its meters to Prometheus, until its input ends. Prints the port. */
final class MeteredProgram {

    private MeteredProgram() {}

    public static void main(String[] arguments) throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("holdfast.lock.wait") || id.getName().equals("holdfast.lock.hold")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        });
        LockMeters meters = LockMeters.of(registry);
        ClientOptions options = ClientOptions.builder()
                .lockOptions(LockOptions.builder().listener(meters).build())
                .build();
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/metrics", exchange -> {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        try (LockClient client = meters.watch(LockClient.connect(arguments[0], options))) {
            RLock lock = client.getLock("stock");
            lock.lock();
            Thread other = new Thread(() -> tryOnce(lock));
            other.start();
            other.join();
            http.start();
            System.out.println(http.getAddress().getPort());
            while (System.in.read() >= 0) {
                // Until the test ends this.
            }
            lock.unlock();
        } finally {
            http.stop(0);
        }
    }

    private static void tryOnce(RLock lock) {
        try {
            if (lock.tryLock(10, TimeUnit.MILLISECONDS)) {
                lock.unlock();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
