package io.holdfast.lock.testkit.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints one line for each test class when it has ended, so that a reader of the console sees where the build is.
 *
 * <p>A JVM of tests prints nothing unless the property {@value #PROPERTY} is true. The lines go to the standard output of
 * the process, past {@code System.out}, which the build redirects to files.
 */
public final class ClassLines implements TestExecutionListener {
    static final String PROPERTY = "holdfast.test.lines";

    private final boolean isWanted;
    private final PrintStream out;
    private final Map<String, ClassLine> running = new HashMap<>();
    private @Nullable TestPlan plan;

    /** Made by JUnit, which finds it as a service. */
    public ClassLines() {
        this(
                Boolean.getBoolean(PROPERTY),
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
    }

    ClassLines(boolean isWanted, PrintStream out) {
        this.isWanted = isWanted;
        this.out = out;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        if (isWanted && test.equals(outermostClass(test))) {
            running.put(test.getUniqueId(), new ClassLine(name(test), System.nanoTime()));
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        ClassLine line = line(test);
        if (line != null) {
            line.skipped();
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        ClassLine line = line(test);
        if (line == null) {
            return;
        }
        line.ended(test.isTest(), result.getStatus());
        if (running.remove(test.getUniqueId()) != null) {
            out.println(line.text(System.nanoTime()));
        }
    }

    private @Nullable ClassLine line(TestIdentifier test) {
        TestIdentifier type = outermostClass(test);
        return type == null ? null : running.get(type.getUniqueId());
    }

    /** A nested class is part of the class around it. */
    private @Nullable TestIdentifier outermostClass(TestIdentifier test) {
        TestIdentifier outermost = null;
        TestIdentifier at = test;
        while (at != null) {
            if (at.getSource().orElse(null) instanceof ClassSource) {
                outermost = at;
            }
            at = plan == null ? null : plan.getParent(at).orElse(null);
        }
        return outermost;
    }

    private static String name(TestIdentifier type) {
        return type.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName())
                .orElse(type.getDisplayName());
    }
}
