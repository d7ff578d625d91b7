package io.holdfast.lock.netty;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.IoTransport;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.TlsOptions;
import io.netty.util.Version;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What {@link OlderNettyTest} runs in a process of its own: two clients hand a lock to and fro. */
final class OlderNettyProgram {

    private static final int THREADS = 4;
    private static final int TURNS = 100;

    private static int turns;

    private OlderNettyProgram() {}

    /** @param args the address, the transport, and perhaps a file with the authority that is trusted */
    public static void main(String[] args) throws Exception {
        System.out.println("Netty " + Version.identify().get("netty-transport").artifactVersion());
        ClientOptions.Builder options = ClientOptions.builder().transport(IoTransport.valueOf(args[1]));
        if (args.length > 2) {
            options.tls(TlsOptions.builder().trustCertificates(Path.of(args[2])).build());
        }
        try (LockClient one = LockClient.connect(args[0], options.build());
                LockClient other = LockClient.connect(args[0], options.build())) {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                RLock lock = (i % 2 == 0 ? one : other).getLock("older");
                ends.add(threads.submit(() -> takeTurns(lock)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            threads.shutdown();
            System.out.println("over " + transport() + ": " + turns + " turns");
        } catch (IllegalStateException unusable) {
            System.out.println(unusable.getMessage());
        }
    }

    private static void takeTurns(RLock lock) {
        for (int i = 0; i < TURNS; i++) {
            lock.lock();
            try {
                turns++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** By the class of a selector or a poll that the event loops' threads stand in. */
    private static String transport() {
        return Thread.getAllStackTraces().values().stream()
                        .flatMap(java.util.Arrays::stream)
                        .anyMatch(frame -> frame.getClassName().startsWith("io.netty.channel.epoll"))
                ? "EPOLL"
                : "NIO";
    }
}
