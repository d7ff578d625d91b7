package io.holdfast.lock.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.memory.MemoryNode;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.core.ThrowingRunnable;

/** A store in memory, real time and real threads. */
public final class MemoryGround implements Ground {

    private final InMemoryLocks locks = InMemoryLocks.store();
    private final ExecutorService background = Executors.newCachedThreadPool();

    @Override
    public Site connect(ClientOptions options) {
        return Site.of(locks.newClient(options));
    }

    @Override
    public Caller caller() {
        return new ServerGround.OwnThread();
    }

    @Override
    public <T> Future<T> elsewhere(Callable<T> task) {
        return background.submit(task);
    }

    @Override
    public <T> T get(Future<T> future) {
        return Futures.get(future);
    }

    @Override
    public void eventually(ThrowingRunnable assertion) {
        ServerTest.eventually(ServerTest.SETTLED, assertion);
    }

    @Override
    public void pause() {
        Thread.yield();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public List<Node> nodes() {
        return List.of(new MemoryNode(locks));
    }

    /** No key is left but token clocks, and no subscription and no thread. */
    @Override
    public void end() {
        background.shutdownNow();
        try {
            eventually(() -> assertThat(nodes().get(0).keys())
                    .as("keys left")
                    .allMatch(key -> key.matches(".+:(token|client):\\{.*}|.+}:turns")));
        } finally {
            locks.close();
        }
        eventually(
                () -> assertThat(nodes().get(0).channels()).as("channels left").isZero());
        eventually(() -> assertThat(ClientThreads.names()).as("threads left").isEmpty());
    }
}
