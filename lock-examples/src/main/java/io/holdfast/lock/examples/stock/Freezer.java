package io.holdfast.lock.examples.stock;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Freezes this whole process for a while, as a long garbage collection or a suspended machine does. */
final class Freezer {

    private Freezer() {}

    /** Returns when the process runs again. Where there are no signals, only the calling thread stands still. */
    static void freeze(long millis) throws InterruptedException {
        String self = String.valueOf(ProcessHandle.current().pid());
        String script =
                String.format(Locale.ROOT, "kill -STOP %s; sleep %.3f; kill -CONT %s", self, millis / 1000.0, self);
        try {
            new ProcessBuilder("sh", "-c", script).start().waitFor();
        } catch (IOException noShell) {
            TimeUnit.MILLISECONDS.sleep(millis);
        }
    }
}
