package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;

/** The threads that serve one world after the other on one thread. */
final class ThreadPool {

    private static final ThreadLocal<ThreadPool> OF_THREAD = ThreadLocal.withInitial(ThreadPool::new);

    private final List<SimulatedThread> threads = new ArrayList<>();

    private ThreadPool() {}

    static ThreadPool ofThread() {
        return OF_THREAD.get();
    }

    /** The thread that calls this runs no more worlds. */
    static void dismiss() {
        OF_THREAD.get().threads.forEach(SimulatedThread::dismiss);
        OF_THREAD.remove();
    }

    /** The thread of a number, always the same one. */
    SimulatedThread thread(int number) {
        while (threads.size() <= number) {
            threads.add(new SimulatedThread("simulated-" + threads.size(), threads.size(), Thread.currentThread()));
        }
        return threads.get(number);
    }
}
