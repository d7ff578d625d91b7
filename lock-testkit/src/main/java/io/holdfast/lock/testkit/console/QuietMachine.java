package io.holdfast.lock.testkit.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Gives each test class with the tag {@value #TAG} the machine for itself: no other test class of the build runs meanwhile, in
 * whatever JVM. For what measures, and for what needs its share of the processors.
 *
 * <p>The JVMs of a build share a file, whose path is the property {@value #PROPERTY}; without the property all may run at once. A class
 * locks the file while it runs: alone if it has the tag, else together with others. Who wants it alone holds up those that come later,
 * by a second file.
 */
public final class QuietMachine implements TestExecutionListener {

    static final String PROPERTY = "holdfast.test.quiet";
    static final String TAG = "quiet";

    private final @Nullable Path room;
    private @Nullable FileChannel entered;
    private @Nullable TestIdentifier inside;

    /** Made by JUnit, which finds it as a service. */
    public QuietMachine() {
        this(System.getProperty(PROPERTY));
    }

    QuietMachine(@Nullable String room) {
        this.room = room == null || room.isEmpty() ? null : Path.of(room);
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        if (room != null && inside == null && test.getSource().orElse(null) instanceof ClassSource) {
            enter(room, test.getTags().contains(TestTag.create(TAG)));
            inside = test;
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.equals(inside)) {
            leave();
        }
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan ended) {
        leave();
    }

    @SuppressWarnings("try") // The lock of the door is not used, but held.
    private void enter(Path file, boolean alone) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            FileChannel channel = open(file);
            entered = channel;
            try (FileChannel door = open(file.resolveSibling(file.getFileName() + ".door"));
                    FileLock atDoor = door.lock()) {
                channel.lock(0, Long.MAX_VALUE, !alone);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("test classes can't wait for each other by " + file, failed);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private void leave() {
        FileChannel open = entered;
        entered = null;
        inside = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
