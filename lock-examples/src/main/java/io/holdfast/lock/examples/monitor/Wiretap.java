package io.holdfast.lock.examples.monitor;

import java.net.URI;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/** A connection on which the server tells every command that it executes. */
final class Wiretap implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long MARK_MILLIS = 100;

    private final Jedis listening;
    private final Jedis marking;
    private final Jedis asking;
    private final Thread reader;
    private final Consumer<ServerCommand> heard;
    private volatile Mark awaited = new Mark();
    private volatile boolean closed;

    /** Every command goes to {@code heard}, on one thread, in the order of execution. */
    Wiretap(String url, Consumer<ServerCommand> heard) throws InterruptedException {
        this.heard = heard;
        this.listening = new Jedis(URI.create(url), TIMEOUT_MILLIS, 0);
        this.marking = new Jedis(URI.create(url), TIMEOUT_MILLIS);
        this.asking = new Jedis(URI.create(url), TIMEOUT_MILLIS);
        this.reader = new Thread(this::listen, "wiretap");
        reader.setDaemon(true);
        reader.start();
        catchUp();
    }

    /** Returns when everything that the server has executed before this call was heard. */
    void catchUp() throws InterruptedException {
        Mark mark = new Mark();
        awaited = mark;
        for (int tries = 0; tries < TIMEOUT_MILLIS / MARK_MILLIS; tries++) {
            marking.echo(mark.text);
            if (mark.seen.await(MARK_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
        throw new IllegalStateException("the server does not show its commands: may this user call MONITOR?");
    }

    /** The server's list of its connections; for the thread that hears the commands. */
    String connections() {
        return asking.clientList();
    }

    private void listen() {
        try {
            listening.monitor(new JedisMonitor() {
                @Override
                public void onCommand(String line) {
                    hear(ServerCommand.parse(line));
                }
            });
        } catch (JedisException broken) {
            if (!closed) {
                throw broken;
            }
        }
    }

    private void hear(ServerCommand command) {
        if (command.words().contains(awaited.text)) {
            awaited.seen.countDown();
        } else {
            heard.accept(command);
        }
    }

    @Override
    public void close() {
        closed = true;
        listening.close();
        marking.close();
        asking.close();
    }

    private static final class Mark {

        private final String text = "mark-" + UUID.randomUUID();
        private final CountDownLatch seen = new CountDownLatch(1);
    }
}
