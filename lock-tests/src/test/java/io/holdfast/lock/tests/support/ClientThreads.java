package io.holdfast.lock.tests.support;

import java.util.List;

/** The threads of all Holdfast clients in this JVM. */
public final class ClientThreads {

    private ClientThreads() {}

    /** Their names. */
    public static List<String> names() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-"))
                .sorted()
                .toList();
    }
}
