package io.holdfast.lock.examples.failover;

import io.holdfast.lock.examples.ChildProcess;
import io.holdfast.lock.examples.console.Console;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The processes of buyers. They end with this object, and with this process. */
final class Crew implements AutoCloseable {

    /**
     * What a buyer said.
     *
     * @param process the number of its process
     * @param what the first word of {@link FailoverBuyersCommand}'s answers
     */
    record News(int process, String what, String article, String detail) {}

    private static final long READY_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final List<ChildProcess> processes = new ArrayList<>();
    private final Map<Integer, Counts> soFar = new HashMap<>();
    private final Map<String, Counts> atTheEnd = new HashMap<>();
    private final Thread end = new Thread(this::endProcesses, "end-buyers");
    private final Set<Integer> atHome = new HashSet<>();

    Crew() {
        Runtime.getRuntime().addShutdownHook(end);
    }

    /** Starts processes, and returns when they are connected. */
    void start(int count, List<String> command, Console console) throws InterruptedException {
        for (int number = 1; number <= count; number++) {
            synchronized (processes) {
                processes.add(ChildProcess.start(number, command, console));
            }
        }
        for (ChildProcess process : processes) {
            process.answer(READY_MILLIS);
        }
    }

    int size() {
        return processes.size();
    }

    /** Orders something of all processes. */
    void order(String order) {
        processes.forEach(process -> process.order(order));
    }

    /** Takes what the processes have said; news goes to the hearer, and counts are kept. */
    void listen(Consumer<News> hearer) throws InterruptedException {
        for (ChildProcess process : processes) {
            while (!atHome.contains(process.number()) && process.hasAnswer()) {
                String[] words = process.answer(READY_MILLIS).split(" ");
                switch (words[0]) {
                    case "so-far" -> soFar.put(process.number(), Counts.ofLine(words[1]));
                    case "done" -> {
                        atHome.add(process.number());
                        done(words);
                    }
                    default ->
                        hearer.accept(new News(process.number(), words[0], words[1], words.length > 2 ? words[2] : ""));
                }
            }
        }
    }

    private void done(String[] words) {
        for (int index = 1; index < words.length; index++) {
            String[] each = words[index].split("=");
            atTheEnd.computeIfAbsent(each[0], article -> new Counts()).add(Counts.ofLine(each[1]));
        }
    }

    /** What all buyers together had counted a tenth of a second ago. */
    Counts soFar() {
        Counts sum = new Counts();
        soFar.values().forEach(sum::add);
        return sum;
    }

    /** Whether the buyers of all processes have gone home. */
    boolean isAtHome() {
        return atHome.size() == processes.size();
    }

    /** What buyers of one article have counted, when all have gone home. */
    Counts of(String article) {
        return atTheEnd.getOrDefault(article, new Counts());
    }

    private void endProcesses() {
        synchronized (processes) {
            processes.forEach(ChildProcess::close);
        }
    }

    @Override
    public void close() {
        endProcesses();
        Runtime.getRuntime().removeShutdownHook(end);
    }
}
