package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.testkit.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What all rows share: the processes that play loads, and the server with the counters. Each starts when it is needed. */
final class Troupe implements AutoCloseable {

    private final List<Worker> workers = new ArrayList<>();
    private final RedisServer resource = RedisServer.start();
    private final Counters counters = new Counters(resource.url());

    /** The first workers; one that has died is replaced. */
    List<Worker> workers(int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            if (i == workers.size()) {
                workers.add(new Worker(Map.of()));
            } else if (!workers.get(i).isAlive()) {
                workers.set(i, new Worker(Map.of()));
            }
        }
        return List.copyOf(workers.subList(0, count));
    }

    Counters counters() {
        return counters;
    }

    String countersUrl() {
        return resource.url();
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        counters.close();
        resource.close();
    }
}
