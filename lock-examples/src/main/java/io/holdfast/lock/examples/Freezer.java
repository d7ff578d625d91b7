package io.holdfast.lock.examples;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Freezes whole processes for a while, as a long garbage collection or a suspended machine does. */
public final class Freezer {

    private Freezer() {}

    /**
     * Freezes this process, and returns when it runs again. Where there are no signals, only the calling thread stands still.
     */
    public static void freeze(long millis) throws InterruptedException {
        try {
            start(ProcessHandle.current().pid(), millis).waitFor();
        } catch (IOException noShell) {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
    }

    /** Begins to freeze another process; it runs again without further help, also if this process ends before. */
    static Process start(long pid, long millis) throws IOException {
        String script =
                String.format(Locale.ROOT, "kill -STOP %d; sleep %.3f; kill -CONT %d", pid, millis / 1000.0, pid);
        return new ProcessBuilder("sh", "-c", script).start();
    }
}
