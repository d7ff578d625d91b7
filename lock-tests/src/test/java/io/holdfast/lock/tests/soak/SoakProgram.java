package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.support.ClientThreads;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One of the JVMs that soak, a program for {@link ChildJvm}. Its arguments are its name, a seed, the address of the single
 * server and those of the quorum. It says when it is connected, begins,
 * reports all the while, a line for each thing, and is told:
 *
 * <ul>
 *   <li>{@code vitals}: to collect its garbage and tell its {@link Vitals}
 *   <li>{@code stop}: to begin nothing any more; answered when every call has ended and every hold was given back
 *   <li>{@code close}: to close its clients; answered with the names of client threads that are left
 * </ul>
 */
final class SoakProgram {

    private static final int WORKERS = 6;
    private static final long LONGEST_CALL_NANOS = TimeUnit.SECONDS.toNanos(Calls.LONGEST_SECONDS);

    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private final Tally tally = new Tally();
    private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "soak-timer");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final SoakClients clients;

    private SoakProgram(String name, long seed, List<String> urls) {
        clients = SoakClients.connect(urls);
        Random seeds = new Random(seed);
        for (int i = 0; i < WORKERS; i++) {
            Worker worker = new Worker(name + "." + i, seeds.nextLong(), clients, timers, tally, this::say);
            workers.add(worker);
            threads.add(new Thread(worker, "soak-worker-" + i));
        }
    }

    public static void main(String[] arguments) throws Exception {
        SoakProgram program = new SoakProgram(
                arguments[0], Long.parseLong(arguments[1]), List.of(arguments).subList(2, arguments.length));
        program.say("ready");
        program.threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
        program.timers.scheduleWithFixedDelay(program::report, 1, 1, TimeUnit.SECONDS);
        program.listen();
        Runtime.getRuntime().halt(0);
    }

    private void listen() throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (line) {
                case "vitals" -> say("vitals " + Vitals.take().line());
                case "stop" -> stop();
                case "close" -> close();
                default -> throw new IllegalArgumentException("command: " + line);
            }
        }
    }

    private void report() {
        say("tally " + tally.line());
        for (Worker worker : workers) {
            worker.stuckFor(LONGEST_CALL_NANOS).ifPresent(what -> say("wrong a call does not end: " + what));
        }
    }

    private void stop() throws InterruptedException {
        workers.forEach(Worker::stop);
        for (Thread thread : threads) {
            thread.join(2 * TimeUnit.NANOSECONDS.toMillis(LONGEST_CALL_NANOS));
        }
        say("tally " + tally.line());
        say("stopped " + threads.stream().filter(Thread::isAlive).count());
    }

    private void close() {
        clients.close();
        long startNanos = System.nanoTime();
        while (!ClientThreads.names().isEmpty() && System.nanoTime() - startNanos < LONGEST_CALL_NANOS) {
            Pause.millis(20);
        }
        say("closed " + String.join(",", ClientThreads.names()));
    }

    private synchronized void say(String line) {
        out.println(line);
        out.flush();
    }
}
