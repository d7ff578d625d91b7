package io.holdfast.lock.tests.support;

import io.holdfast.lock.ClientOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** Where a test of locks takes place: servers, a time in which things happen, and threads. */
public interface Ground {

    /** A new application with locks over the servers. */
    Site connect(ClientOptions options);

    /** A new thread that makes calls for others. */
    Caller caller();

    /** Has something done at the same time. */
    <T> Future<T> elsewhere(Callable<T> task);

    /** The result, once it is there; a failure is thrown as it is. */
    <T> T get(Future<T> future);

    /** Waits until the condition of a step holds that others take. */
    void eventually(ThrowingRunnable assertion);

    /** Lets others go first. */
    void pause();

    long nanos();

    List<Node> nodes();

    /** Checks that nothing is left behind. */
    void end() throws Exception;

    /** A thread, for calls whose owner it is; each call returns when it is over. */
    interface Caller extends AutoCloseable {

        <T> T call(Callable<T> body);

        @Override
        void close();
    }

    /** A server, as seen by whoever asks it directly. */
    interface Node {

        List<String> keys();

        Map<String, String> hash(String key);

        @Nullable
        String value(String key);

        void set(String key, String value);

        /** As if somebody had deleted it. */
        void delete(String key);

        /** As if somebody had written it into a hash. */
        void setField(String key, String field, String value);

        /** As if somebody had deleted it from a hash. */
        void deleteField(String key, String field);

        /** Milliseconds; -1 for ever, -2 if it is not there. */
        long timeToLive(String key);

        void persist(String key);

        /** To how many channels anybody listens. */
        int channels();

        /** How often it was asked for a lock so far. */
        long attempts();
    }
}
