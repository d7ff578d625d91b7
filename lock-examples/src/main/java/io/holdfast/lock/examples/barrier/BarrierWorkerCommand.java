package io.holdfast.lock.examples.barrier;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.RCountDownLatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One worker, started by {@code barrier}. It answers on standard output.
 *
 * <pre>
 *            -> ready       it is connected
 * go         -> counted     its work is done, and the latch knows
 *            -> on          all work is done
 * </pre>
 */
@Command(name = BarrierWorkerCommand.NAME, hidden = true, description = "One worker, started by 'barrier'.")
public final class BarrierWorkerCommand implements Callable<Integer> {

    static final String NAME = "barrier-worker";

    @Option(names = "--redis", required = true)
    private String redis = "";

    @Option(names = "--latch", required = true)
    private String name = "";

    @Option(names = "--work", required = true)
    private long workMillis;

    private final PrintStream answers = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LockClient client = LockClient.connect(redis)) {
            RCountDownLatch done = client.getCountDownLatch(name);
            done.getCount();
            answer("ready");
            if ("go".equals(orders.readLine())) {
                TimeUnit.MILLISECONDS.sleep(workMillis);
                done.countDown();
                answer("counted");
                done.await();
                answer("on");
            }
        }
        return 0;
    }

    private void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
